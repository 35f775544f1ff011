import { createServer, type Server } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { WholeResponse } from "../../src/node/WholeResponse.ts"

/** How a socket was written to, one number of pieces for each call. */
const written: Array<number> = []
const refused: Array<unknown> = []

const counting = (socket: Socket) => {
  const { _write, _writev } = socket
  socket._write = (...sent) => {
    written.push(1)
    _write.apply(socket, sent)
  }
  socket._writev = (pieces, done) => {
    written.push(pieces.length)
    _writev?.call(socket, pieces, done)
  }
}

describe("a whole response", () => {
  let server: Server
  let base: string
  beforeAll(async () => {
    server = createServer({ ServerResponse: WholeResponse }, (request, response) => {
      response.strictContentLength = true
      response.writeHead(200, { "content-length": 5 })
      if (request.url === "/text") response.end("whole")
      else if (request.url === "/bytes") response.end(new TextEncoder().encode("bytes"))
      else {
        try {
          response.write("too much")
        } catch (error) {
          refused.push((error as NodeJS.ErrnoException).code)
          response.end("whole")
        }
      }
    })
    server.on("connection", counting)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close())

  const read = async (path: string) => {
    written.length = 0
    return (await fetch(base + path, { headers: { connection: "close" } })).text()
  }

  it("writes a text with its head, in one piece", async () => {
    expect(await read("/text")).toBe("whole")
    expect(written).toEqual([1])
  })

  it("writes no empty piece behind bytes", async () => {
    expect(await read("/bytes")).toBe("bytes")
    expect(written).toEqual([2])
  })

  it("still compares what is written in pieces with the announced length", async () => {
    expect(await read("/pieces")).toBe("whole")
    expect(refused).toEqual(["ERR_HTTP_CONTENT_LENGTH_MISMATCH"])
  })
})
