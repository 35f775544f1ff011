import { Effect } from "effect"

/** A body that is sent only after its release. */
export const delayedBody = (text: string) => {
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
  /** Waits until the service reads the body: it has authorized the caller before. */
  const isRead = Effect.promise(() => read.promise)
  return { stream, isRead, release: () => released.resolve() }
}

/** A body that sends a text and then never ends. */
export const stalledBody = (text: string) =>
  new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new TextEncoder().encode(text)) })
