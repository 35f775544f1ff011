import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { ConfigProvider, Effect } from "effect"

/** The status and body of an answer. */
export type Reply = readonly [status: number, body: unknown]

/** Starts a platform that answers each request line, except with undefined, and keeps the lines with their bodies. */
export const startPlatform = (reply: (line: string) => Reply | undefined) =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const server = yield* Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const server = createServer((request, answer) => {
          let body = ""
          request.on("data", (chunk) => (body += chunk))
          request.on("end", () => {
            const line = `${request.method} ${request.url?.replace("/api/v1", "")}`
            asked.push(`${line} ${body}`.trim())
            const answered = reply(line)
            if (answered === undefined) return
            const [status, shown] = answered
            answer.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(shown))
          })
        })
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  })

/** Runs an effect with environment variables. */
export const withEnvironment = (env: Record<string, string>) =>
  Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))
