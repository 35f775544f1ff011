// Asks every list of the forge's API, which the routes themselves name, on sites of several sizes, and counts the pages of 8 KiB that
// PostgreSQL reads for each. The arguments are the sizes: 2500 and 25000. Each list has as many rows in its one repository, issue or
// organization as the site has repositories, where what there is of it may be made so many times. Ends with exit code 1 when a list reads
// more than 1.5 times the pages for each ten times as much.
import { ForgeApi } from "@slipway/http/api/forge"
import { growthOf, startPostgres } from "@slipway/sql/testing"
import { Effect, Redacted } from "effect"
import { OpenApi } from "effect/http-api"
import { Client } from "pg"
import { seeded, started } from "./http/sites.ts"
import { multiplyRows } from "./routes/multiply.ts"
import { askerOf, makeSamples, password, type Send } from "./routes/samples.ts"
import { flagsOf, withDirectory } from "./start/service.ts"

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [2_500, 25_000]
const most = 1.5
const basic = `Basic ${Buffer.from(`user-1:${password}`).toString("base64")}`
const turns = 3

const print = (line: string) => process.stdout.write(`${line}\n`)
const say = (line: string) => process.stderr.write(`${line}\n`)

interface Operation {
  readonly parameters?: ReadonlyArray<{ readonly name?: string }>
}

/** The paths of all lists with pages, without what they begin with. */
const lists = Object.entries(OpenApi.fromApi(ForgeApi).paths).flatMap(([path, { get }]) => {
  const parameters = (get as Operation | undefined)?.parameters ?? []
  return parameters.some(({ name }) => name === "page") ? [path.replace(/^\/api\/v1/, "")] : []
})

interface Measured {
  readonly pages: number
  readonly rows: number
  readonly status: number
}

const withDatabase = async <A>(url: URL, use: (client: Client) => Promise<A>): Promise<A> => {
  const client = new Client(url.href)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** The pages that all statements have read since they were counted last. */
const counted = `
  SELECT coalesce(sum(shared_blks_hit + shared_blks_read), 0)::int AS pages FROM pg_stat_statements s
  JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = current_database() AND query NOT LIKE '%pg_stat_statements%'`

const measured = async (url: URL, token: string, size: number, directory: string) => {
  const address = { _tag: "Server", url: Redacted.make(url.href), location: url.pathname } as const
  const site = await started("forge", address, directory, flagsOf("server"), { FORGE_SSH_PORT: "off" })
  const found = new Map<string, Measured>()
  try {
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${site.base}/api/v1${path}`, {
        ...init,
        headers: {
          authorization: path.startsWith("/users/user-1/tokens") ? basic : `token ${token}`,
          "content-type": "application/json"
        }
      })
    const send: Send = async (method, path, body) => {
      const response = await ask(path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
      const text = await response.text()
      if (!response.ok) say(`${method} ${path}: ${response.status} ${text}`)
      return text === "" ? {} : JSON.parse(text)
    }
    const names = await makeSamples(send, `user-${Math.floor(size / 2)}`)
    await withDatabase(url, async (client) => {
      await client.query("SET search_path = forge, public; SET statement_timeout = 0")
      for (const refused of await multiplyRows(client, size)) say(`not multiplied: ${refused}`)
      await client.query("CREATE EXTENSION pg_stat_statements SCHEMA public")
      for (const path of lists) {
        const values = names(path)
        const asked = `${path.replace(/\{(\w+)\}|\*/g, (whole, name) => values[name ?? whole] ?? whole)}?limit=30${askerOf(path)}`
        let best: Measured | undefined
        // What the service does besides, such as looking for work, is seldom in all turns.
        for (let turn = 0; turn <= turns; turn++) {
          await client.query("SELECT public.pg_stat_statements_reset()")
          const response = await ask(asked)
          const answer = (await response.json()) as object
          const { rows } = await client.query(counted)
          const shown = Array.isArray(answer) ? answer : (Object.values(answer).find(Array.isArray) ?? [])
          const one = { pages: Number(rows[0]?.pages), rows: shown.length, status: response.status }
          if (turn > 0 && one.pages < (best?.pages ?? Number.POSITIVE_INFINITY)) best = one
        }
        if (best !== undefined) found.set(path, best)
      }
    })
  } finally {
    await site.process.stop()
  }
  return found
}

const program = Effect.gen(function* () {
  const server = yield* startPostgres({ library: "pg_stat_statements" })
  const all: Array<ReadonlyMap<string, Measured>> = []
  for (const size of sizes) {
    say(`making ${size} repositories, and as much of everything in one of them`)
    const own = new URL(Redacted.value(server.url))
    yield* Effect.promise(() => withDatabase(own, (client) => client.query(`CREATE DATABASE lists_${size}`)))
    own.pathname = `/lists_${size}`
    const token = yield* seeded("forge", { ...server, url: Redacted.make(own.href) }, { rows: size, name: "user-1" })
    all.push(yield* Effect.promise(() => withDirectory((directory) => measured(own, token, size, directory))))
  }
  const columns = sizes.map((size) => size.toLocaleString("en"))
  print(`| pages of 8 KiB read | ${columns.join(" | ")} | most growth | rows |`)
  print(`|---|${sizes.map(() => "---:|").join("")}---:|---:|`)
  const grown: Array<string> = []
  for (const path of lists) {
    const each = all.map((found) => found.get(path))
    const pages = each.map((one) => one?.pages ?? Number.NaN)
    const growth = Math.max(
      ...pages
        .slice(1)
        .map((one, at) => growthOf(pages[at] ?? 0, one) ** (1 / Math.log10((sizes[at + 1] ?? 1) / (sizes[at] ?? 1))))
    )
    const { rows, status } = each.at(-1) ?? { rows: 0, status: 0 }
    if (growth > most || status !== 200) grown.push(`${path} (${status})`)
    print(
      `| \`${path}\` | ${pages.map((one) => one.toLocaleString("en")).join(" | ")} | ${growth.toFixed(2)} | ${rows} |`
    )
  }
  if (grown.length > 0) {
    say(`these fail, or read more than ${most} times the pages where there is ten times as much: ${grown.join(", ")}`)
    process.exitCode = 1
  }
})

await Effect.runPromise(Effect.scoped(program))
