import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { ForgeAccess } from "@slipway/domain/deploy/apps"
import { Effect, Redacted } from "effect"

/** The answer to a request. */
export type Reply = readonly [status: number, body: unknown, location?: string]

/** A forge that answers each request line, and keeps the lines with their bodies. */
export const startForge = (reply: (line: string) => Reply) =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const server = yield* Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const server = createServer(({ headers, method, url }, sent) => {
          const line = `${method} ${url}`
          asked.push(`${line} ${headers.authorization}`)
          const [status, body, location] = reply(line)
          sent
            .writeHead(status, location === undefined ? {} : { location })
            .end(typeof body === "string" ? body : JSON.stringify(body))
        })
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    // A private address, which only the exact address of a connection may have.
    const url = `http://inward.dev:${(server.address() as AddressInfo).port}`
    return { asked, access: { url, token: Redacted.make("t0ken") } satisfies ForgeAccess }
  })
