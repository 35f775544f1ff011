import { ServerResponse } from "node:http"

/**
 * A response whose body is written with its head where it is there as a whole.
 *
 * Node writes an empty piece behind a body that it compares with the announced length, by a call that takes twice the time. The
 * length of a whole body is taken from it, so nothing is compared; one that is written in pieces still is.
 */
export class WholeResponse extends ServerResponse {
  /** Its place among the open ones. */
  place = 0

  override end(done?: () => void): this
  override end(body: unknown, done?: () => void): this
  override end(body: unknown, encoding: BufferEncoding, done?: () => void): this
  override end(...sent: ReadonlyArray<unknown>): this {
    const [body] = sent
    if (typeof body === "string" || body instanceof Uint8Array) this.strictContentLength = false
    return super.end(...(sent as Parameters<ServerResponse["end"]>))
  }
}
