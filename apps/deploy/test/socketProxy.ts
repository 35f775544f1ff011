import { connect, createServer, type Socket } from "node:net"

interface Visit {
  readonly outside: Socket
  /** The chunks that are held back; undefined while the connection is open. */
  waiting: Array<Buffer> | undefined
}

interface Watch {
  readonly pattern: RegExp
  readonly found: (line: string) => void
}

/** A proxy before the socket of an engine, which can hold requests with a matching first line. */
export class EngineSocketProxy {
  readonly #visits = new Set<Visit>()
  #holding: Watch | undefined
  #watching: Watch | undefined
  readonly #server

  readonly path: string

  private constructor(socket: string, path: string) {
    this.path = path
    this.#server = createServer((inside) => {
      const visit: Visit = { outside: connect(socket), waiting: undefined }
      this.#visits.add(visit)
      for (const each of [inside, visit.outside]) {
        each.on("error", () => {})
        each.on("close", () => {
          this.#visits.delete(visit)
          inside.destroy()
          visit.outside.destroy()
        })
      }
      inside.on("data", (bytes: Buffer) => this.#pass(visit, bytes))
      visit.outside.pipe(inside)
    })
  }

  /** Opens a proxy at a path, before a socket. */
  static async before(socket: string, path: string): Promise<EngineSocketProxy> {
    const socketProxy = new EngineSocketProxy(socket, path)
    await new Promise<void>((resolve) => socketProxy.#server.listen(path, resolve))
    return socketProxy
  }

  // A client sends one request after another on a connection, so that each starts a new chunk.
  #pass(visit: Visit, bytes: Buffer): void {
    const [line = ""] = bytes.toString("latin1", 0, 4_096).split("\r\n", 1)
    if (this.#watching?.pattern.test(line) === true) this.#watching.found(line)
    if (visit.waiting === undefined && this.#holding?.pattern.test(line) === true) {
      visit.waiting = []
      this.#holding.found(line)
    }
    if (visit.waiting === undefined) visit.outside.write(bytes)
    else visit.waiting.push(bytes)
  }

  /** Passes on the held chunks, and everything from now on. */
  open(): void {
    this.#holding = undefined
    for (const visit of this.#visits) {
      for (const bytes of visit.waiting ?? []) visit.outside.write(bytes)
      visit.waiting = undefined
    }
  }

  /** Passes on the held chunks, and then holds matching requests; waits for the first one. */
  hold(pattern: RegExp): Promise<string> {
    return new Promise((found) => {
      this.open()
      this.#holding = { pattern, found }
    })
  }

  /** Waits until a matching request passes. */
  seen(pattern: RegExp): Promise<string> {
    return new Promise((found) => {
      this.#watching = { pattern, found }
    })
  }

  /** Closes the proxy. */
  end(): void {
    this.#server.close()
    for (const { outside } of this.#visits) outside.destroy()
  }
}
