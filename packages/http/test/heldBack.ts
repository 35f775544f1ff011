/** A body that comes when it is let go, and not before. */
export const heldBack = (text: string) => {
  let release = () => {}
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      release = () => {
        controller.enqueue(new TextEncoder().encode(text))
        controller.close()
      }
    }
  })
  return { stream, release: () => release() }
}
