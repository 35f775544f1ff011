import { Effect } from "effect"

/** A body that comes when it is let go, and not before. */
export const heldBack = (text: string) => {
  const read = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        read.resolve()
        await released.promise
        controller.enqueue(new TextEncoder().encode(text))
        controller.close()
      }
    },
    { highWaterMark: 0 }
  )
  /** Waits until the service asks for it: it has decided by then who may send it. */
  const isRead = Effect.promise(() => read.promise)
  return { stream, isRead, release: () => released.resolve() }
}

/** A body that never comes to its end behind a text. */
export const silentBehind = (text: string) =>
  new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new TextEncoder().encode(text)) })
