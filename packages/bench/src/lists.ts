// Counts the pages that lists read at three sizes of a site, on a separate PostgreSQL server. Exits with code 1 when a
// list reads more than 1.5 times the pages with ten times the data.
import { Database } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/forge"
import { measuredInterests, measuredLists, pagesRead, seededNumbers, seedInterests } from "@slipway/sql/testing"
import { Effect, Layer } from "effect"
import { measuredServices } from "./deploy/services.ts"
import { fillDatabase } from "./http/sites.ts"
import { filledDatabase, serverOf } from "./support/databases.ts"
import { mostGrowth } from "./support/numbers.ts"
import { print, printProgress } from "./support/output.ts"

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [2_500, 25_000, 250_000]
const most = 1.5
/**
 * The ratio of repositories to services in the seeded data. With the largest default size, there are 10,000 services.
 */
const repositoriesPerService = 25

const measured = Effect.fnUntraced(function* (size: number) {
  const numbers = seededNumbers(size)
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
  const server = yield* serverOf()
  const all: Array<ReadonlyMap<string, { readonly pages: number; readonly milliseconds: number }>> = []
  for (const size of sizes) {
    const site = Effect.gen(function* () {
      printProgress(`creating ${size} repositories`)
      const { address } = yield* filledDatabase(server, `forge_${size}`, "lists", (empty) =>
        fillDatabase("forge", empty, { rows: size, name: "user-1" })
      )
      const database = Database.layer(address, { schema: "forge", migrations, maxConnections: 1 })
      const context = yield* Layer.build(Layer.provideMerge(layerStores, database))
      return yield* Effect.provide(measured(size), context)
    })
    const found = yield* Effect.scoped(site)
    const services = Math.ceil(size / repositoriesPerService)
    const row = yield* measuredServices(server, services)
    all.push(new Map([...found, [`a page of services, 1 for ${repositoriesPerService} repositories`, row]]))
  }
  const columns = sizes.map((size) => size.toLocaleString("en"))
  print(`| pages of 8 KiB read | ${columns.join(" | ")} | most growth | at ${columns.at(-1)} |`)
  print(`|---|${sizes.map(() => "---:|").join("")}---:|---:|`)
  let grows = false
  for (const name of all[0]?.keys() ?? []) {
    const pages = all.map((each) => each.get(name)?.pages ?? Number.NaN)
    const growth = mostGrowth(sizes, pages)
    grows ||= !(growth <= most)
    const counts = pages.map((each) => each.toLocaleString("en")).join(" | ")
    print(`| ${name} | ${counts} | ${growth.toFixed(2)} | ${all.at(-1)?.get(name)?.milliseconds.toFixed(1)} ms |`)
  }
  if (grows) {
    printProgress(`a list reads more than ${most} times the pages with ten times the rows`)
    process.exitCode = 1
  }
})

await Effect.runPromise(Effect.scoped(program))
