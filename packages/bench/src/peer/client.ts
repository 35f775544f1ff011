import { connect } from "node:net"

/** A page to request: its URL, and the access token of the request. */
export interface Page {
  readonly base: string
  readonly path: string
  readonly token: string
}

const end = Buffer.from("\r\n\r\n")
/** The last bytes of a response with chunked transfer encoding. */
const lastChunk = Buffer.from("0\r\n\r\n")

/** Reads responses of one request at a time; calls back with the status after the last byte of each response. */
const reader = (answered: (status: number) => void) => {
  let head = Buffer.alloc(0)
  let status = 0
  let missing: number | undefined
  let tail = Buffer.alloc(0)
  const body = (bytes: Buffer) => {
    if (missing !== undefined) {
      missing -= bytes.length
      if (missing > 0) return
    } else {
      tail = Buffer.concat([tail, bytes]).subarray(-lastChunk.length)
      if (!tail.equals(lastChunk)) return
    }
    head = Buffer.alloc(0)
    const of = status
    status = 0
    answered(of)
  }
  return (bytes: Buffer) => {
    if (status !== 0) return body(bytes)
    head = Buffer.concat([head, bytes])
    const at = head.indexOf(end)
    if (at < 0) return
    const text = head.toString("latin1", 0, at + 2)
    status = Number(text.slice(9, 12))
    const length = /\r\ncontent-length: (\d+)\r\n/i.exec(text)?.[1]
    missing = length === undefined ? undefined : Number(length)
    tail = Buffer.alloc(0)
    body(head.subarray(at + end.length))
  }
}

/**
 * Sends requests in turns on several connections for a duration in milliseconds; returns the responses per second. A
 * request is the complete text of an HTTP request.
 *
 * Only the length of a response is parsed, because this process shares the processors with the measured servers.
 */
export const rateOfRequests = async (
  base: string,
  requests: ReadonlyArray<Buffer>,
  milliseconds: number,
  connections = 16
): Promise<number> => {
  const { hostname, port } = new URL(base)
  let answers = 0
  let sent = 0
  const next = (): Buffer => requests[sent++ % requests.length] ?? Buffer.alloc(0)
  const begin = performance.now()
  const one = () =>
    new Promise<void>((done, fail) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      let request = next()
      const failed = (reason: string) => {
        socket.destroy()
        fail(new Error(`${base}${request.toString("latin1").split(" ", 2)[1]}: ${reason}`))
      }
      socket.once("connect", () => socket.write(request))
      socket.on("error", ({ message }) => failed(message))
      socket.on("end", () => failed("the connection ended"))
      socket.on(
        "data",
        reader((status) => {
          if (status !== 200) return failed(`status ${status}`)
          answers += 1
          if (performance.now() - begin < milliseconds) {
            request = next()
            return socket.write(request)
          }
          socket.removeAllListeners("end").destroy()
          done()
        })
      )
    })
  await Promise.all(Array.from({ length: connections }, one))
  return (answers * 1_000) / (performance.now() - begin)
}

/** Requests a page on several connections for a duration in milliseconds; returns the responses per second. */
export const rateOf = ({ base, path, token }: Page, milliseconds: number, connections = 16): Promise<number> => {
  const request = `GET ${path} HTTP/1.1\r\nHost: ${new URL(base).host}\r\nAuthorization: token ${token}\r\n\r\n`
  return rateOfRequests(base, [Buffer.from(request)], milliseconds, connections)
}
