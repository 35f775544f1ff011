import { ServerResponse } from "node:http"

/** The time, in milliseconds, during which answers are gathered before all of them are written. */
const gathering = 0.5

/** The answers since the last write, and the time of the first. */
let pendingWrites: Array<() => void> = []
let since = 0

const writeAll = () => {
  const all = pendingWrites
  pendingWrites = []
  for (const write of all) write()
}

/** Writes an answer at the end of this turn of the event loop, or together with a later one of a long turn. */
const writeInTurn = (write: () => void) => {
  const now = performance.now()
  if (pendingWrites.length === 0) {
    since = now
    setImmediate(writeAll)
  }
  pendingWrites.push(write)
  if (now - since > gathering) writeAll()
}

/**
 * A response that writes a complete body together with its head, in one batch with other complete responses.
 *
 * If Node checks a body against the declared length, it writes an additional empty chunk, which doubles the time of
 * the call. The length of a complete body is computed from the body, so this check is turned off. Chunked bodies are
 * still checked.
 *
 * Batching saves time if the reader, such as a proxy, runs on the same machine: waking the reader takes as long as the
 * rest of the call. In a batch, only the first response wakes the reader.
 */
export class WholeResponse extends ServerResponse {
  /** The index of this response in the set of open responses. */
  place = 0

  override end(done?: () => void): this
  override end(body: unknown, done?: () => void): this
  override end(body: unknown, encoding: BufferEncoding, done?: () => void): this
  override end(...sent: ReadonlyArray<unknown>): this {
    const [body] = sent
    const end = () => super.end(...(sent as Parameters<ServerResponse["end"]>))
    if (typeof body !== "string" && !(body instanceof Uint8Array)) return end()
    this.strictContentLength = false
    if (sent.length > 1) return end()
    writeInTurn(() => {
      // The client may have disconnected meanwhile: Effect's adapter, which checked earlier, doesn't write then either.
      if (!this.destroyed) end()
    })
    return this
  }
}
