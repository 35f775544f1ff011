import type { Duplex } from "node:stream"
import { EngineUnreachable } from "@slipway/domain/deploy/containers"
import { Effect } from "effect"

/** A connection after the head of the response; `body` is the error response of a status from 400. */
export interface Hijacked {
  readonly socket: Duplex
  readonly status: number
  readonly body: string
}

const largestHead = 65_536
const endOfHead = "\r\n\r\n"

const headerIn = (head: string, name: string): string | undefined =>
  new RegExp(`^${name}: *(.*)$`, "im").exec(head)?.[1]?.trim()

/** Reads the head of the response. Bytes after it stay in the stream, unless they are the body of an error response. */
const readHead = (socket: Duplex) =>
  Effect.callback<Hijacked, EngineUnreachable>((resume) => {
    let received = Buffer.alloc(0)
    const stop = () => {
      socket.off("readable", read)
      socket.off("end", ended)
      socket.off("error", broken)
    }
    const finish = (effect: Effect.Effect<Hijacked, EngineUnreachable>) => {
      stop()
      resume(effect)
    }
    const fail = (because: string) => finish(Effect.fail(new EngineUnreachable({ because })))
    const refused = (status: number, body: string) => finish(Effect.succeed({ socket, status, body }))
    /** Returns the status, the header `Content-Length` and the rest, once the head is complete. */
    const headOf = () => {
      const end = received.indexOf(endOfHead)
      if (end < 0) return undefined
      const head = received.subarray(0, end).toString("latin1")
      const rest = received.subarray(end + endOfHead.length)
      return {
        status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
        length: Number(headerIn(head, "content-length") ?? 0),
        rest
      }
    }
    const read = () => {
      for (;;) {
        const chunk: Buffer | null = socket.read()
        if (chunk === null) return
        received = Buffer.concat([received, chunk])
        const head = headOf()
        if (head === undefined) {
          if (received.length > largestHead) return fail("the response of the engine is too long")
          continue
        }
        const { length, rest, status } = head
        if (status === 0) return fail("the server at this address is not a container engine")
        if (status < 400) {
          stop()
          if (rest.length > 0) socket.unshift(rest)
          return resume(Effect.succeed({ socket, status, body: "" }))
        }
        if (rest.length >= Math.min(length, largestHead)) return refused(status, rest.toString("utf8"))
      }
    }
    const ended = () => {
      const head = headOf()
      return head === undefined || head.status < 400
        ? fail("the engine closed the connection")
        : refused(head.status, head.rest.toString("utf8"))
    }
    const broken = ({ message }: Error) => fail(message)
    socket.on("readable", read)
    socket.on("end", ended)
    socket.on("error", broken)
    return Effect.sync(stop)
  })

/** Sends a request that asks the engine to turn the connection into a raw byte stream, and reads the response. */
export const openHijacked = Effect.fnUntraced(function* (
  open: Effect.Effect<Duplex, EngineUnreachable>,
  path: string,
  json: unknown
) {
  const socket = yield* Effect.acquireRelease(open, (opened) => Effect.sync(() => opened.destroy()))
  // An error without a listener would end the process; readers and writers report it.
  socket.on("error", () => undefined)
  const body = JSON.stringify(json)
  const head = [
    `POST ${path} HTTP/1.1`,
    "Host: engine",
    "Connection: Upgrade",
    "Upgrade: tcp",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`
  ]
  socket.write(`${head.join("\r\n")}${endOfHead}${body}`)
  return yield* readHead(socket)
})
