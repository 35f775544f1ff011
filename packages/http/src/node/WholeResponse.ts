import { ServerResponse } from "node:http"

/** How long responses are collected in a batch before the batch is written, in milliseconds. */
const gathering = 0.5

/** The responses of the current batch; `since` is the time of the first of them. */
let pendingWrites: Array<() => void> = []
let since = 0

const writeAll = () => {
  const all = pendingWrites
  pendingWrites = []
  for (const write of all) write()
}

/** Adds a response to the batch, which is written at the end of this event loop turn, or earlier in a long turn. */
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
 * Node's check of the body against `Content-Length` is turned off for complete bodies: their length is computed from
 * the body, and the check would write an additional empty chunk and double the time of the call.
 *
 * Batching saves time if the client, such as a proxy, runs on the same machine: only the first response of a batch has
 * to wake the client process, which takes as long as the rest of the call.
 */
export class WholeResponse extends ServerResponse {
  /** The index of this response in the `Present` collection of open responses. */
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
