// The servers that Slipway is compared with, each in a separate process: the same statements and answers, without
// authorization, validation or rendering.
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { PgClient, PgTypes } from "@effect/sql-pg"
import { Effect, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import Fastify from "fastify"
import pg from "pg"
import type { Recorded } from "./sites.ts"

const [kind, file = "", url = "", schema = ""] = process.argv.slice(2)
const read = (_: string, value: unknown): unknown => {
  if (value === null || typeof value !== "object") return value
  if ("integer" in value) return BigInt(String(value.integer))
  return "moment" in value ? new Date(Number(value.moment)) : value
}
const recorded: ReadonlyArray<Recorded> = JSON.parse(readFileSync(file, "utf8"), read)
const find = (path: string | undefined, authorization: string | undefined): Recorded | undefined =>
  recorded.find((each) => each.path === path && each.anonymous === (authorization === undefined))
const connections = 10

// The parent process may have been killed.
process.stdin.on("end", () => process.exit()).resume()

const ready = (port: number) => process.stdout.write(`${port}\n`)

/** Starts a plain Node server with Slipway's database client. It writes each response as one string in one call. */
const bare = () => {
  const runtime = ManagedRuntime.make(
    PgClient.layer({
      url: Redacted.make(url),
      startupParameters: { search_path: `"${schema}"`, jit: "off" },
      maxConnections: connections,
      multiplex: true
    })
  )
  const answerOf = ({ answer, statements }: Recorded) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const { parameters, text } of statements) yield* sql.unsafe(text, parameters).values
      return JSON.stringify(answer)
    })
  const server = createServer(async (request, response) => {
    const found = find(request.url, request.headers.authorization)
    if (found === undefined) {
      response.writeHead(404).end()
      return
    }
    const isPlain = found.statements.length === 0
    const text = isPlain ? JSON.stringify(found.answer) : await runtime.runPromise(answerOf(found))
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) }).end(text)
  })
  server.listen(0, "127.0.0.1", () => ready((server.address() as { port: number }).port))
}

/** Starts a Fastify server with `pg`, the most common PostgreSQL client. */
const fastify = async () => {
  const pool = new pg.Pool({ connectionString: url, max: connections, options: `-c search_path=${schema} -c jit=off` })
  const app = Fastify()
  for (const route of new Set(recorded.map(({ path }) => path.split("?")[0] ?? ""))) {
    app.get(route, async ({ headers, url }) => {
      const found = find(url, headers.authorization)
      if (found === undefined) throw new Error(`unexpected request: ${url}`)
      const at = recorded.indexOf(found)
      for (const [index, { parameters, text }] of found.statements.entries()) {
        await pool.query({
          name: `${at}-${index}`,
          text,
          values: parameters.map((each) => (PgTypes.isParameter(each) ? each.value : each)),
          rowMode: "array"
        })
      }
      return found.answer
    })
  }
  await app.listen({ port: 0, host: "127.0.0.1" })
  ready((app.server.address() as { port: number }).port)
}

await (kind === "fastify" ? fastify() : bare())
