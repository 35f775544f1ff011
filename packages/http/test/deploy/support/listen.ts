import { Effect } from "effect"
import { Sse } from "effect/encoding"
import type { Service } from "./harness.ts"

/** An event as a client receives it. */
export interface ReceivedEvent {
  readonly id: string | undefined
  readonly event: string
  // BOUNDARY: tests look into events of every shape, and each assertion says which it expects.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly data: any
}

/** Opens a stream of events as root, which is closed with the scope. */
export const listen = Effect.fnUntraced(function* (
  { fetch, root }: Pick<Service, "fetch" | "root">,
  path: string,
  { last, token = root }: { readonly last?: string | undefined; readonly token?: string } = {}
) {
  const headers: Record<string, string> = last === undefined ? {} : { "last-event-id": last }
  const response = yield* fetch("GET", `/api/v1${path}`, { token, headers })
  const { body, status } = response
  if (status !== 200 || body === null) {
    return yield* Effect.die(new Error(`${path} answered ${status}: ${yield* Effect.promise(() => response.text())}`))
  }
  const reader = body.getReader()
  yield* Effect.addFinalizer(() => Effect.promise(() => reader.cancel().catch(() => {})))
  const heard: Array<ReceivedEvent> = []
  let text = ""
  const parser = Sse.makeParser((event) => {
    if (event._tag !== "Event") return
    const data = JSON.parse(event.data)
    heard.push({ id: event.id, event: event.event, data })
    if (event.event === "message") texts.push(data.text)
  })
  const decoder = new TextDecoder()
  const more = async (): Promise<boolean> => {
    const { done, value } = await reader.read()
    if (value !== undefined) {
      const part = decoder.decode(value, { stream: true })
      text += part
      parser.feed(part)
    }
    return !done
  }
  const texts: Array<string> = []
  return {
    headers: response.headers,
    heard: heard as ReadonlyArray<ReceivedEvent>,
    /** The texts of the received lines. */
    texts: texts as ReadonlyArray<string>,
    /** The raw stream. */
    raw: () => text,
    /** Listens until the predicate holds or the stream ends. */
    until: (holds: () => boolean) =>
      Effect.promise(async () => {
        while (!holds() && (await more()));
      }).pipe(Effect.timeout("30 seconds"), Effect.orDie),
    /** Disconnects. */
    leave: Effect.promise(() => reader.cancel())
  }
})
