// Measures whether creating and listing applications stays as fast with 100,000 of them as with 100, on a separate
// PostgreSQL server. Exits with code 1 when it doesn't.

import { Applications } from "@slipway/deploy/apps"
import { authenticate } from "@slipway/deploy/identity"
import { ApplicationStore, type Placement } from "@slipway/domain/deploy/apps"
import { authorize, system } from "@slipway/domain/deploy/entry"
import { Database } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/deploy"
import { startPostgres } from "@slipway/sql/testing"
import { testLayer } from "@slipway/testkit"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { memberToken, rootToken, seedCallers } from "./deploy/callers.ts"
import { seed } from "./deploy/seed.ts"
import { median, seededRandom } from "./support/numbers.ts"
import { print, printProgress } from "./support/output.ts"

const sizes = [100, 10_000, 100_000]
const samples = 500
const warmUps = 50
const perPage = 20
const slowest = 1.5

const creation = system("application.create")
const listing = system("application.list")
const random = seededRandom(1)

type Provided = Layer.Success<typeof layerStores> | Layer.Success<typeof testLayer> | SqlClient
type Measure = (
  sample: number,
  size: number,
  places: ReadonlyArray<Placement>
) => Effect.Effect<number, unknown, Provided>

/**
 * The measured operations, by name. Each runs on a database with a number of applications in several environments, and
 * returns its duration in milliseconds.
 */
const measures: Readonly<Record<string, Measure>> = {
  "create with a domain": (sample: number, _: number, places: ReadonlyArray<Placement>) =>
    Effect.gen(function* () {
      const place = places[sample % places.length] as Placement
      const body = {
        project_uuid: place.projectUuid,
        environment_name: place.environmentName,
        server_uuid: place.serverUuid,
        destination_uuid: place.destinationUuid,
        git_repository: "https://forge.example/owner/repository",
        git_branch: "main",
        build_pack: "packer_a",
        domains: `https://sample-${sample}.example`
      }
      const [{ uuid }, milliseconds] = yield* timed(Applications.create(creation, "public", body))
      // The measured size must not change.
      yield* (yield* ApplicationStore).remove(uuid)
      return milliseconds
    }),
  "list the first page": () => listed(1),
  "list any page": (_: number, size: number) => listed(1 + Math.floor((random() * size) / perPage)),
  "authenticate and list, with a root token": () => listedBy(rootToken),
  "authenticate and list, as a member with grants": () => listedBy(memberToken)
}

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const start = performance.now()
    const result = yield* effect
    return [result, performance.now() - start] as const
  })

const listed = (page: number) =>
  Effect.gen(function* () {
    const [{ rows }, milliseconds] = yield* timed(Applications.list(listing, { page, perPage }))
    if (rows.length !== perPage) return yield* Effect.die(new Error(`page ${page} has ${rows.length} rows`))
    return milliseconds
  })

/** Authenticates a token and lists the first page of applications that it can access, as an API request does. */
const listedBy = (token: string) =>
  Effect.gen(function* () {
    const request = Effect.gen(function* () {
      const caller = yield* authenticate(Redacted.make(token))
      return yield* Applications.list(yield* authorize(caller, "application.list"), { page: 1, perPage })
    })
    const [{ rows }, milliseconds] = yield* timed(request)
    if (rows.length === 0) return yield* Effect.die(new Error("the list is empty"))
    return milliseconds
  })

const program = Effect.gen(function* () {
  // Disk syncs would add the same time to all sizes, and make their ratio look better than it is.
  const address = yield* startPostgres()
  const databases = yield* Effect.forEach(sizes, (size) =>
    Effect.gen(function* () {
      const database = Database.layer(address, { schema: `with_${size}`, migrations, maxConnections: 2 })
      const runtime = ManagedRuntime.make(Layer.mergeAll(Layer.provideMerge(layerStores, database), testLayer))
      yield* Effect.addFinalizer(() => runtime.disposeEffect)
      const context = yield* runtime.contextEffect
      const progress = (done: number) => printProgress(`seeding: ${done} of ${size} applications`)
      const places = yield* Effect.provide(seed(size, progress), context)
      yield* Effect.provide(seedCallers(places), context)
      return { size, context, places }
    })
  )
  yield* Effect.provide(
    Effect.flatMap(SqlClient, (sql) => sql`CHECKPOINT`),
    databases[0]?.context as (typeof databases)[number]["context"]
  )
  const results = Object.keys(measures).map((name) => ({ name, times: sizes.map((): Array<number> => []) }))
  for (let sample = -warmUps; sample < samples; sample++) {
    if (sample % 100 === 0) printProgress(`measuring: ${sample} of ${samples} samples`)
    // In turns, so that other load affects all sizes equally.
    for (const [index, { context, places, size }] of databases.entries()) {
      for (const [which, measure] of Object.values(measures).entries()) {
        const milliseconds = yield* Effect.provide(measure(sample + warmUps, size, places), context)
        if (sample >= 0) results[which]?.times[index]?.push(milliseconds)
      }
    }
  }
  const rows = results.map(({ name, times }) => {
    const medians = times.map(median)
    return { name, medians, ratio: (medians.at(-1) ?? Number.NaN) / (medians[0] ?? Number.NaN) }
  })
  const number = new Intl.NumberFormat("en")
  const heads = sizes.map((size) => `${number.format(size)} applications`)
  print(`| median of ${samples} | ${heads.join(" | ")} | ratio |`)
  print(`|---|${sizes.map(() => "---:|").join("")}---:|`)
  for (const { medians, name, ratio } of rows) {
    print(`| ${name} | ${medians.map((each) => `${each.toFixed(2)} ms`).join(" | ")} | ${ratio.toFixed(2)} |`)
  }
  if (rows.some(({ ratio }) => !(ratio <= slowest))) {
    printProgress(`with ${number.format(sizes.at(-1) ?? 0)} applications it takes more than ${slowest} times as long`)
    process.exitCode = 1
  }
})

await Effect.runPromise(Effect.scoped(program))
