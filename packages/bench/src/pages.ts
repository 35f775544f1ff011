// Measures the pages of the forge on a PostgreSQL server, compared with the API requests that each page makes. The first
// argument is the number of issues in the list, or `deploy` to measure the pages of the console. Exits with code 1 when
// a page exceeds a limit.
import { rmSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { createForge, type Forge } from "@slipway/embed"
import { Database } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/forge"
import { startPostgres } from "@slipway/sql/testing"
import { countReads } from "@slipway/testkit/forge"
import { createPages, sanitizedHtml } from "@slipway/web"
import { Effect, Layer } from "effect"
import { measureConsole } from "./pages/console.ts"
import { pageWorld } from "./pages/world.ts"
import { median } from "./support/numbers.ts"
import { print, printProgress } from "./support/output.ts"

const [issues = 10_000] = process.argv.slice(2).map(Number)
const most = { statements: 6, gitReads: 3, cpu: 2.5, html: 30, script: 20 }
const turns = 5
const requestsPerTurn = 6
const url = "http://127.0.0.1:3000"
const administrator = { name: "ann", email: "ann@example.com", password: "correct horse battery" }

/** Records the API requests that a page makes, so that they can be sent again without rendering the page. */
const requestsOf = async (forge: Forge, session: string, path: string): Promise<ReadonlyArray<Request>> => {
  const sent: Array<Request> = []
  const pages = createPages({
    highlight: async (text) => text.split("\n").map((line) => [["", line] as const]),
    markdown: async () => sanitizedHtml("")
  })
  const send = (request: Request) => {
    sent.push(request.clone())
    return forge.handler(request)
  }
  const headers = { cookie: `slipway_session=${session}` }
  const response = await pages.answer(new Request(`${url}${path}`, { headers }), { rootUrl: url, send }, true)
  if (response?.status !== 200) throw new Error(`${path}: ${response?.status}`)
  return sent
}

/** Measures the processor time of a function, and returns the milliseconds per call. */
const processorTime = async (run: () => Promise<void>): Promise<number> => {
  const before = process.cpuUsage()
  for (let at = 0; at < requestsPerTurn; at++) await run()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / 1_000 / requestsPerTurn
}

const program = Effect.gen(function* () {
  const server = yield* startPostgres()
  const directory = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "slipway-bench-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const counter = countReads()
  const database = Database.layer(server, { schema: "forge", migrations, maxConnections: 10 })
  const forge = yield* Effect.acquireRelease(
    Effect.promise(() =>
      createForge({
        administrator,
        url,
        largestBody: 64,
        git: { directory },
        store: Layer.provideMerge(layerStores, Layer.merge(database, counter.layer))
      })
    ),
    (handler) => Effect.promise(() => handler.dispose())
  )
  printProgress("creating the world")
  const { pages, session } = yield* pageWorld(forge, { address: url, issues, password: administrator.password }).pipe(
    Effect.provide(database)
  )
  const get = async (path: string) => {
    const headers = { cookie: `slipway_session=${session}`, accept: "text/html" }
    const response = await forge.handler(new Request(`${url}${path}`, { headers }))
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
    return text
  }
  print("| page | statements | git reads | CPU ms | same JSON, CPU ms | times | HTML, kB compressed |")
  print("|---|---:|---:|---:|---:|---:|---:|")
  const misses: Array<string> = []
  for (const [name, path] of Object.entries(pages)) {
    const requests = yield* Effect.promise(() => requestsOf(forge, session, path))
    const json = async () => {
      for (const request of requests) await (await forge.handler(request.clone())).text()
    }
    const page = async () => {
      await get(path)
    }
    yield* Effect.promise(page)
    const { gitReads, statements } = yield* Effect.promise(() => counter.during(page))
    const times: Record<"json" | "page", Array<number>> = { json: [], page: [] }
    for (let turn = 0; turn < turns; turn++) {
      times.page.push(yield* Effect.promise(() => processorTime(page)))
      times.json.push(yield* Effect.promise(() => processorTime(json)))
    }
    const [own, other] = [median(times.page), median(times.json)]
    const size = gzipSync(yield* Effect.promise(() => get(path))).length / 1_000
    const limits = [
      [`${statements.length} statements`, statements.length > most.statements],
      [`${gitReads.length} git reads`, gitReads.length > most.gitReads],
      [`${(own / other).toFixed(2)} times the CPU of the JSON`, own / other > most.cpu],
      [`${size.toFixed(1)} kB of HTML`, name === "repository home" && size > most.html]
    ] as const
    misses.push(...limits.flatMap(([what, isOver]) => (isOver ? [`${name}: ${what}`] : [])))
    const cells = [statements.length, gitReads.length, own.toFixed(1), other.toFixed(1), (own / other).toFixed(2)]
    print(`| ${name} | ${cells.join(" | ")} | ${size.toFixed(1)} |`)
  }
  const home = yield* Effect.promise(() => get("/"))
  const scripts = [...home.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, source = ""]) => source)
  const texts = yield* Effect.promise(() => Promise.all(scripts.map(get)))
  const script = texts.reduce((sum, text) => sum + gzipSync(text).length, 0) / 1_000
  print("")
  print("| script of a page, kB compressed |")
  print("|---:|")
  print(`| ${script.toFixed(1)} |`)
  if (script > most.script) misses.push(`${script.toFixed(1)} kB of script`)
  for (const miss of misses) printProgress(`above the limit: ${miss}`)
  if (misses.length > 0) process.exitCode = 1
})

await Effect.runPromise(Effect.scoped(process.argv[2] === "deploy" ? measureConsole : program))
