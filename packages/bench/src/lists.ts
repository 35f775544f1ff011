// Counts the pages that lists read at three sizes of a site, on a PostgreSQL server of its own.
// Ends with exit code 1 when a list reads more than 1.5 times the pages where there is ten times as much.
import { Database } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/forge"
import {
  growthOf,
  measuredInterests,
  measuredLists,
  pagesRead,
  seedInterests,
  seedLists,
  startPostgres
} from "@slipway/sql/testing"
import { Effect, Layer } from "effect"
import { print } from "./support/output.ts"

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [2_500, 25_000, 250_000]
const most = 1.5

const say = (text: string) => Effect.sync(() => process.stderr.write(`${text}\n`))

const measured = Effect.fnUntraced(function* (size: number) {
  yield* say(`making ${size} repositories`)
  const numbers = yield* seedLists(size)
  yield* seedInterests(size)
  const lists = { ...(yield* measuredLists(numbers)), ...(yield* measuredInterests(numbers)) }
  const found = new Map<string, { readonly pages: number; readonly milliseconds: number }>()
  for (const [name, list] of Object.entries(lists)) {
    yield* list
    const start = performance.now()
    yield* list
    const milliseconds = performance.now() - start
    const [, pages] = yield* pagesRead(list)
    found.set(name, { pages, milliseconds })
  }
  return found
})

const program = Effect.gen(function* () {
  const server = yield* startPostgres()
  const all: Array<ReadonlyMap<string, { readonly pages: number; readonly milliseconds: number }>> = []
  for (const size of sizes) {
    const database = Database.layer(server, { schema: `lists_${size}`, migrations, maxConnections: 1 })
    const context = yield* Layer.build(Layer.provideMerge(layerStores, database))
    all.push(yield* Effect.provide(measured(size), context))
  }
  const columns = sizes.map((size) => size.toLocaleString("en"))
  print(`| pages of 8 KiB read | ${columns.join(" | ")} | most growth | at ${columns.at(-1)} |`)
  print(`|---|${sizes.map(() => "---:|").join("")}---:|---:|`)
  let grows = false
  for (const name of all[0]?.keys() ?? []) {
    const pages = all.map((each) => each.get(name)?.pages ?? Number.NaN)
    const growth = Math.max(...pages.slice(1).map((each, at) => growthOf(pages[at] ?? 0, each)))
    grows ||= !(growth <= most)
    const counts = pages.map((each) => each.toLocaleString("en")).join(" | ")
    print(`| ${name} | ${counts} | ${growth.toFixed(2)} | ${all.at(-1)?.get(name)?.milliseconds.toFixed(1)} ms |`)
  }
  if (grows) {
    yield* say(`a list reads more than ${most} times the pages where there is ten times as much`)
    process.exitCode = 1
  }
})

await Effect.runPromise(Effect.scoped(program))
