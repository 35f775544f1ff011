import { Duplex } from "node:stream"
import type { PGlite } from "@electric-sql/pglite"

const CANCEL_REQUEST = 80_877_102
const TERMINATE = "X".charCodeAt(0)

type Done = (error?: Error | null) => void

const asError = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause), { cause }))

/**
 * A connection to PGlite (the embedded PostgreSQL) with the interface of a socket, so that the usual PostgreSQL client
 * works with both.
 *
 * PGlite has only one backend, which outlives the connections. So the first packet of each connection resets its state.
 * A query runs while its packet is written: it is finished when the write returns, and a cancel request has no effect.
 */
export class PgliteStream extends Duplex {
  readonly #database: PGlite
  readonly #hasRoom: () => boolean
  #started = false
  #isReadOnly = false

  /**
   * `hasRoom` returns whether the disk has free space. If it returns false, only reads are allowed: after a commit that
   * cannot be written, PGlite stops and no longer responds.
   */
  constructor(database: PGlite, hasRoom: () => boolean = () => true) {
    super({ readableHighWaterMark: 1 << 20, writableHighWaterMark: 1 << 20 })
    this.#database = database
    this.#hasRoom = hasRoom
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#receive(chunk).then(
      () => done(),
      (cause) => done(asError(cause))
    )
  }

  override _writev(chunks: ReadonlyArray<{ readonly chunk: Buffer }>, done: Done): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), "buffer" as BufferEncoding, done)
  }

  override _final(done: Done): void {
    this.push(null)
    done()
  }

  async #receive(packet: Buffer): Promise<void> {
    if (!this.#started) {
      if (packet.readInt32BE(4) === CANCEL_REQUEST) {
        this.destroy()
        return
      }
      this.#started = true
      if (this.#database.isInTransaction()) await this.#database.exec("ROLLBACK")
      await this.#database.exec("DISCARD ALL")
    }
    const messages = packet[0] !== 0 ? packet.subarray(0, endOfMessages(packet)) : packet
    if (messages.length === 0) return
    await this.#heedRoom()
    const answer: Array<Buffer> = []
    await this.#database.execProtocolRawStream(messages, {
      // The file system writes through, so there is nothing to sync between statements.
      syncToFs: false,
      // PGlite reuses the buffer of these bytes.
      onRawData: (bytes) => void answer.push(Buffer.from(bytes))
    })
    if (answer.length > 0) this.push(answer.length === 1 ? answer[0] : Buffer.concat(answer))
  }

  async #heedRoom(): Promise<void> {
    if (this.#database.isInTransaction()) return
    const isFull = !this.#hasRoom()
    if (isFull === this.#isReadOnly) return
    await this.#database.exec(`SET default_transaction_read_only = ${isFull}`)
    this.#isReadOnly = isFull
  }
}

/**
 * Returns the position of a Terminate message in a packet. If such a message follows other messages, PGlite would end
 * its only backend.
 */
const endOfMessages = (packet: Buffer): number => {
  let offset = 0
  while (offset + 5 <= packet.length && packet[offset] !== TERMINATE) offset += 1 + packet.readInt32BE(offset + 1)
  return Math.min(offset, packet.length)
}
