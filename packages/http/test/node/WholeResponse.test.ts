import { createServer, get, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { WholeResponse } from "../../src/node/WholeResponse.ts"

/** The writes of a socket: the number of chunks for each call. */
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

  it("writes a text with its head, in one chunk", async () => {
    expect(await read("/text")).toBe("whole")
    expect(written).toEqual([1])
  })

  it("writes no empty chunk after bytes", async () => {
    expect(await read("/bytes")).toBe("bytes")
    expect(written).toEqual([2])
  })

  it("compares the length of chunked writes with the announced length", async () => {
    expect(await read("/pieces")).toBe("whole")
    expect(refused).toEqual(["ERR_HTTP_CONTENT_LENGTH_MISMATCH"])
  })

  describe("created in the same turn of the event loop as others", () => {
    const answers: Array<string> = []
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    /** Returns after the given number of responses, sorted by their text. */
    const come = async (count: number) => {
      while (answers.length < count) await turn()
      return answers.sort()
    }
    const clock = vi.spyOn(performance, "now")
    afterAll(() => clock.mockRestore())

    /** Sends concurrent requests, and passes on the responses, with the state of their connections. */
    const asked = async (
      count: number,
      use: (responses: ReadonlyArray<WholeResponse>, written: () => ReadonlyArray<boolean>) => Promise<void>
    ) => {
      const responses: Array<WholeResponse> = []
      answers.length = 0
      const held = createServer({ ServerResponse: WholeResponse })
      await new Promise<void>((resolve) => held.listen(0, "127.0.0.1", resolve))
      const { port } = held.address() as AddressInfo
      await new Promise<void>((resolve) => {
        held.on("request", (_, response) => {
          responses.push(response)
          if (responses.length === count) resolve()
        })
        for (let n = 0; n < count; n += 1) {
          const read = (response: IncomingMessage) => response.on("data", (part) => answers.push(String(part)))
          get({ port, agent: false }, read).on("error", ({ message }) => answers.push(message))
        }
      })
      const sockets = responses.map(({ socket }) => socket)
      clock.mockReturnValue(0)
      await use(responses, () => sockets.map((each) => (each?.bytesWritten ?? 0) > 0))
      await new Promise((closed) => held.close(closed))
    }

    it("is written together with the other responses, in the next turn of the event loop", () =>
      asked(2, async ([one, two], written) => {
        one?.end("one")
        clock.mockReturnValue(0.5)
        two?.end("two")
        expect(written()).toEqual([false, false])
        await turn()
        expect(written()).toEqual([true, true])
        expect(await come(2)).toEqual(["one", "two"])
      }))

    it("is written with the earlier responses if half a millisecond has passed, without waiting for later ones", () =>
      asked(3, async ([one, two, three], written) => {
        one?.end("one")
        clock.mockReturnValue(0.6)
        two?.end("two")
        three?.end("three")
        expect(written()).toEqual([true, true, false])
        expect(await come(3)).toEqual(["one", "three", "two"])
      }))

    it("is written even if the client of another response disconnected", () =>
      asked(3, async ([one, gone, three]) => {
        one?.end("one")
        gone?.end("gone")
        gone?.destroy()
        three?.end("three")
        expect(await come(3)).toEqual(["one", "socket hang up", "three"])
        expect(gone?.writableEnded).toBe(false)
      }))
  })
})
