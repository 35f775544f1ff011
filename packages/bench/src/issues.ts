// Measures issues on sites of two or more sizes, on a separate PostgreSQL server: the work of a request from its token
// to the rows. `npm run bench -- issues 100000 1000000` takes other sizes than the usual ones. Exits with code 1 when
// an operation takes more than 1.5 times as long with ten times the data, more than 6 statements, or more than twice as
// long as just its statements and JSON.

import type { RepositoryId } from "@slipway/domain/forge/base"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { IssueComments, Issues, Notifications } from "@slipway/forge/collaboration"
import { Entry } from "@slipway/forge/entry"
import { Database } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/forge"
import { pagesRead, recordStatements, seedLists, startPostgres } from "@slipway/sql/testing"
import { sentBy, testEnv } from "@slipway/testkit/forge"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { CurrentTransformer, type Fragment } from "effect/sql/Statement"
import { seedIssues } from "./issues/seed.ts"
import { median } from "./support/numbers.ts"
import { print, printProgress } from "./support/output.ts"

const sizeArguments = process.argv.slice(2).map(Number)
const sizes = sizeArguments.length > 0 ? sizeArguments : [10_000, 100_000]
const most = { growth: 1.5, statements: 6 }
const least = 0.5
const rounds = 30
/**
 * Shorter times in milliseconds count as this time when the growth is computed, since they vary too much on a busy
 * machine.
 */
const floor = 5

interface Measured {
  readonly milliseconds: number
  readonly statements: number
  /** Number of database pages of 8 KiB that PostgreSQL reads; undefined for writes. */
  readonly pages: number | undefined
  /**
   * The duration in milliseconds of the same SQL statements and JSON encoding without Slipway; undefined for writes.
   */
  readonly bare: number | undefined
}

/** Measures effects alternately, so that other load on the machine affects all of them equally. */
const timed = Effect.fnUntraced(function* <A, E, R>(effects: ReadonlyArray<Effect.Effect<A, E, R>>) {
  const times = effects.map((): Array<number> => [])
  for (let round = 0; round < rounds; round++) {
    for (const [place, effect] of effects.entries()) {
      const begin = performance.now()
      yield* effect
      times[place]?.push(performance.now() - begin)
    }
  }
  // The first ones fill caches and plan statements.
  return times.map((each) => median(each.slice(5)))
})

/** Returns the SQL statements that an effect sends, to send them again without Slipway, and the response as text. */
const bareOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const statements: Array<Fragment> = []
  const answer = yield* Effect.provideService(effect, CurrentTransformer, (statement) => {
    statements.push(statement)
    return Effect.succeed(statement)
  })
  const sql = yield* SqlClient
  const again = Effect.andThen(
    Effect.forEach(statements, (statement) => sql`${statement}`.values, { discard: true }),
    Effect.sync(() => JSON.stringify(answer))
  )
  return { again }
})

const operations = Effect.gen(function* () {
  const [admin, ordinary] = [
    yield* sentBy({ name: "user-1", token: ["all"] }),
    yield* sentBy({ name: "user-2", token: ["all"] })
  ]
  const first = yield* (yield* RepositoryStore).find(1 as RepositoryId)
  const home = { owner: first?.owner.name ?? "", repository: first?.name ?? "" }
  const page = { page: 1, perPage: 50 }
  const inRepository = <A, E, R>(use: (proof: Entry.EnteredActor<"repository">) => Effect.Effect<A, E, R>) =>
    Effect.flatMap(Entry.enter(admin, { kind: "repository", ...home }), use)
  const searching = (who: typeof admin, text: string | undefined) =>
    Effect.flatMap(Entry.enter(who, { kind: "site" }), (entered) =>
      Effect.flatMap(Entry.authorize("issue.search", entered), (proof) =>
        Issues.search(proof, { text, state: "open" }, "newest", page)
      )
    )
  const reading = {
    "list of a repository by label and words": inRepository((entered) =>
      Effect.flatMap(Entry.authorize("issue.list", entered), (proof) =>
        Issues.list(proof, { labels: ["bug"], text: "squeaks", state: "open" }, "newest", page)
      )
    ),
    "search, a user, a rare word": searching(ordinary, "needle"),
    "search, an administrator, a rare word": searching(admin, "needle"),
    "search, a user, the latest": searching(ordinary, undefined),
    "search, an administrator, the latest": searching(admin, undefined),
    "unread notifications, counted": Effect.flatMap(Entry.enter(ordinary, { kind: "site" }), (entered) =>
      Effect.flatMap(Entry.authorize("notification.count-new", entered), Notifications.countNew)
    ),
    "a page of a timeline of 2,000": Effect.flatMap(
      Entry.enter(admin, { kind: "issue", ...home, keys: { index: 1 } }),
      (entered) =>
        Effect.flatMap(Entry.authorize("issue.timeline.list", entered), (proof) =>
          IssueComments.timeline(proof, {}, page)
        )
    )
  }
  const creating = inRepository((entered) =>
    Effect.flatMap(Entry.authorize("issue.create", entered), (proof) => Issues.create(proof, { title: "A new issue" }))
  )
  return { creating, reading }
})

type Reading = Effect.Success<typeof operations>["reading"]
type Any = Reading[keyof Reading]
/** A measured operation; its result is ignored. */
type Operation = Effect.Effect<unknown, Effect.Error<Any>, Effect.Services<Any>>

/** Creates a site with a number of issues, and returns the operations to measure on it. */
const siteOf = Effect.fnUntraced(function* (server: Effect.Success<ReturnType<typeof startPostgres>>, size: number) {
  const repositories = Math.max(100, size / 1_000)
  printProgress(`creating ${size} issues`)
  const database = Database.layer(server, { schema: `issues_${size}`, migrations, maxConnections: 1 })
  const context = yield* Layer.build(Layer.merge(Layer.provideMerge(layerStores, database), testEnv()))
  const here = Effect.provide(context)
  yield* here(Effect.andThen(seedLists(repositories), seedIssues(size, repositories)))
  const { creating, reading } = yield* here(operations)
  // The first use of a token is recorded, which takes one more statement.
  yield* here(creating)
  return { creating: here(creating), reading: reading as Readonly<Record<string, Operation>>, here }
})

const program = Effect.gen(function* () {
  const server = yield* startPostgres()
  const sites = yield* Effect.forEach(sizes, (size) => siteOf(server, size))
  const found = new Map<string, ReadonlyArray<Measured>>()
  const [, sent] = yield* recordStatements(sites[0]?.creating ?? Effect.void)
  found.set(
    "opening an issue",
    (yield* timed(sites.map(({ creating }) => creating))).map((milliseconds) => ({
      milliseconds,
      statements: sent.length,
      pages: undefined,
      bare: undefined
    }))
  )
  for (const name of Object.keys(sites[0]?.reading ?? {})) {
    const each = yield* Effect.forEach(sites, ({ here, reading }) =>
      here(
        Effect.gen(function* () {
          const operation = reading[name] ?? Effect.void
          const [, statements] = yield* recordStatements(operation)
          const [, pages] = yield* pagesRead(operation)
          const { again } = yield* bareOf(operation)
          return {
            statements: statements.length,
            pages,
            both: [Effect.orDie(here(operation)), Effect.orDie(here(again))]
          }
        })
      )
    )
    const times = yield* timed(each.flatMap(({ both }) => both))
    found.set(
      name,
      each.map(({ pages, statements }, place) => ({
        statements,
        pages,
        milliseconds: times[2 * place] ?? 0,
        bare: times[2 * place + 1]
      }))
    )
  }
  const named = sizes.map((size) => size.toLocaleString("en"))
  print(
    `| | statements | ${named.map((size) => `pages at ${size} | `).join("")}${named.map((size) => `ms at ${size} | `).join("")}most growth | bare limit |`
  )
  print(`|---|---:|${sizes.map(() => "---:|---:|").join("")}---:|---:|`)
  let misses = false
  for (const [name, each] of found) {
    const times = each.map(({ milliseconds }) => milliseconds)
    const growth = Math.max(
      ...times.slice(1).map((time, place) => Math.max(time, floor) / Math.max(times[place] ?? 0, floor))
    )
    const last = each.at(-1)
    const share = last?.bare === undefined ? undefined : last.bare / last.milliseconds
    const statements = Math.max(...each.map((one) => one.statements))
    misses ||= growth > most.growth || statements > most.statements || (share !== undefined && share < least)
    const cells = [
      ...each.map(({ pages }) => pages?.toLocaleString("en") ?? ""),
      ...times.map((time) => time.toFixed(1)),
      growth.toFixed(2),
      share?.toFixed(2) ?? ""
    ]
    print(`| ${name} | ${statements} | ${cells.join(" | ")} |`)
  }
  if (misses) {
    printProgress("an operation exceeds its limit of time or statements")
    process.exitCode = 1
  }
})

await Effect.runPromise(Effect.scoped(program))
