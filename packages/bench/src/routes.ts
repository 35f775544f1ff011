// Requests every paginated list of both APIs, found by their routes, on sites of several sizes, and counts the pages of
// 8 KiB that PostgreSQL reads for each. The arguments are the service, if it is only one, and the sizes: 2500 and
// 25000. Each list has as many rows in its one repository, issue, organization or application as the site has
// repositories or applications, where the API permits that many. Exits with code 1 when a list reads more than 1.5
// times the pages for each ten times the data.
import { setTimeout } from "node:timers/promises"
import { addressOf, cleanUp, deployLists, forgeLists, multiplyRows, type Send, type Walk } from "@slipway/http/testing"
import { annsKey } from "@slipway/testkit/forge"
import { Effect } from "effect"
import type { Client } from "pg"
import { fillDatabase, startService } from "./http/sites.ts"
import { flagsOf, withDirectory } from "./start/service.ts"
import { filledDatabase, type ServerAddress, serverOf, withClient } from "./support/databases.ts"
import { median, mostGrowth } from "./support/numbers.ts"
import { print, printProgress } from "./support/output.ts"

const [service, ...sizeArguments] = /^\d/.test(process.argv[2] ?? "0")
  ? [undefined, ...process.argv.slice(2)]
  : process.argv.slice(2)
const walks = [forgeLists, deployLists].filter((walk) => service === undefined || walk.service === service)
const sizes = sizeArguments.length > 0 ? sizeArguments.map(Number) : [2_500, 25_000]
const most = 1.5
const turns = 5

interface Measured {
  readonly pages: number
  readonly milliseconds: number
  readonly rows: number
  readonly status: number
}

/**
 * The SQL query for the number of pages (8 KiB) that all statements have read since the last reset of the statistics.
 */
const counted = `
  SELECT coalesce(sum(shared_blks_hit + shared_blks_read), 0)::int AS pages FROM pg_stat_statements s
  JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = current_database() AND query NOT LIKE '%pg_stat_statements%'`

/** Returns the rows of a response: the response itself if it is an array, or else the first array in its fields. */
const rowsOf = (answer: object): ReadonlyArray<unknown> =>
  Array.isArray(answer) ? answer : (Object.values(answer).find(Array.isArray) ?? [])

const measuredOne = async (client: Client, ask: () => Promise<Response>): Promise<Measured> => {
  const all: Array<Measured> = []
  for (let turn = 0; turn <= turns; turn++) {
    await client.query("SELECT public.pg_stat_statements_reset()")
    const start = performance.now()
    const response = await ask()
    const answer = (await response.json()) as object
    const milliseconds = performance.now() - start
    const { rows } = await client.query(counted)
    all.push({ pages: Number(rows[0]?.pages), milliseconds, rows: rowsOf(answer).length, status: response.status })
  }
  const later = all.slice(1)
  // Background work of the service, such as polling for jobs, is counted too, and a statement sometimes only after its
  // answer.
  const usual = later.toSorted((one, other) => one.pages - other.pages)[turns >> 1] as Measured
  return { ...usual, milliseconds: median(later.map(({ milliseconds }) => milliseconds)) }
}

/** A database with a number of rows, and the settings of a service that runs on it. */
interface FilledSite {
  readonly walk: Walk
  readonly address: ServerAddress
  readonly token: string
  readonly size: number
  readonly directory: string
}

const measured = async ({ address, directory, size, token, walk }: FilledSite) => {
  const site = await startService(walk.service, address, directory, flagsOf("server"), {
    FORGE_SSH_PORT: "off",
    FORGE_CODE_SEARCH: "true"
  })
  try {
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${site.base}/api/v1${path}`, {
        ...init,
        headers: {
          authorization: walk.authorization(path, token),
          "content-type": "application/json",
          ...init.headers
        }
      })
    const send: Send = async (method, path, body, headers = {}) => {
      const sent = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
      for (let turn = 0; ; turn++) {
        const response = await ask(path, sent)
        const text = await response.text()
        // The database is still writing the filled rows.
        if (response.status === 503 && turn < 30) {
          await setTimeout(1_000)
          continue
        }
        if (!response.ok) printProgress(`${method} ${path}: ${response.status} ${text}`)
        return text === "" ? {} : JSON.parse(text)
      }
    }
    const names = await walk.makeSamples({ send, size, openPgpKey: annsKey })
    return await withClient(address, async (client) => {
      await client.query(`SET search_path = ${walk.service}, public; SET statement_timeout = 0`)
      await client.query("SET maintenance_work_mem = '1GB'")
      for (const refused of await multiplyRows(client, size, (table) => printProgress(`  ${table}`))) {
        printProgress(`not multiplied: ${refused}`)
      }
      printProgress("  cleaning up")
      await cleanUp(client)
      await client.query("CREATE EXTENSION pg_stat_statements SCHEMA public")
      const found = new Map<string, Measured>()
      for (const path of walk.lists) {
        found.set(path, await measuredOne(client, () => ask(addressOf(walk, path, names))))
      }
      return found
    })
  } finally {
    await site.process.stop()
  }
}

/**
 * Prints the measurements of each list at each size. Returns the lists that fail, or that read more pages as tables
 * grow.
 */
const table = (walk: Walk, all: ReadonlyArray<ReadonlyMap<string, Measured>>): ReadonlyArray<string> => {
  const columns = sizes.map((size) => size.toLocaleString("en")).join(" | ")
  print(`| pages of 8 KiB read by the ${walk.service} | ${columns} | most growth | rows | ms |`)
  print(`|---|${sizes.map(() => "---:|").join("")}---:|---:|---:|`)
  const lines = walk.lists.map((path) => {
    const pages = all.map((found) => found.get(path)?.pages ?? Number.NaN)
    return { path, pages, growth: mostGrowth(sizes, pages), at: all.at(-1)?.get(path) }
  })
  lines.sort((one, other) => other.growth - one.growth)
  for (const { at, growth, pages, path } of lines) {
    const counts = pages.map((one) => one.toLocaleString("en")).join(" | ")
    print(`| \`${path}\` | ${counts} | ${growth.toFixed(2)} | ${at?.rows} | ${at?.milliseconds.toFixed(1)} |`)
  }
  return lines.flatMap(({ at, growth, path }) =>
    growth <= most && at?.status === 200 ? [] : [`${path} (${at?.status})`]
  )
}

const program = Effect.gen(function* () {
  const server = yield* serverOf({ library: "pg_stat_statements" })
  const grown: Array<string> = []
  for (const walk of walks) {
    const all: Array<ReadonlyMap<string, Measured>> = []
    for (const size of sizes) {
      const site = Effect.gen(function* () {
        printProgress(
          `creating a site of ${size} for the ${walk.service}, with the same number of each resource below one parent`
        )
        const { address, answer } = yield* filledDatabase(server, `${walk.service}_${size}`, "routes", (empty) =>
          fillDatabase(walk.service, empty, { rows: size, name: "user-1" })
        )
        return yield* Effect.promise(() =>
          withDirectory((directory) => measured({ walk, address, token: answer, size, directory }))
        )
      })
      all.push(yield* Effect.scoped(site))
    }
    grown.push(...table(walk, all))
    print("")
  }
  if (grown.length > 0) {
    printProgress(`these fail, or read more than ${most} times the pages with ten times the rows: ${grown.join(", ")}`)
    process.exitCode = 1
  }
})

await Effect.runPromise(Effect.scoped(program))
