import { describe, expect, it } from "@effect/vitest"
import {
  addressOf,
  deployLists,
  forgeLists,
  multiplyRows,
  type Names,
  type Send,
  type Walk
} from "@slipway/http/testing"
import * as deploySql from "@slipway/sql/deploy"
import * as forgeSql from "@slipway/sql/forge"
import { layerTestServer, postgresMissing, seedLists, statementTracer } from "@slipway/sql/testing"
import { annsKey } from "@slipway/testkit/forge"
import { Effect, Layer, Tracer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as deployService from "./deploy/support/harness.ts"
import { makeTeam } from "./deploy/support/members.ts"
import * as forgeService from "./forge/support/harness.ts"

interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly Plans?: ReadonlyArray<Plan>
}

/**
 * The tables that a plan reads, each with its index, or the table's name for a sequential scan. Without the catalogs of
 * PostgreSQL: their order depends on their size, and so on the tests that ran before.
 */
const scansOf = (plan: Plan): ReadonlyArray<string> => [
  ...(plan["Node Type"].endsWith("Scan") && plan["Relation Name"]?.startsWith("pg_") === false
    ? [`${plan["Node Type"]} ${plan["Index Name"] ?? plan["Relation Name"]}`]
    : []),
  ...(plan.Plans ?? []).flatMap(scansOf)
]

const nodesOf = (plan: Plan): ReadonlyArray<string> => [plan["Node Type"], ...(plan.Plans ?? []).flatMap(nodesOf)]

/**
 * Returns the reads of each statement, or none for a write, planned for arbitrary values and as if sequential scans
 * were too expensive.
 */
const explained = (texts: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    // The result of PostgreSQL's vacuum is not deterministic.
    yield* sql.unsafe(
      "UPDATE pg_class SET relallvisible = relpages WHERE relnamespace = current_schema()::regnamespace"
    )
    for (const each of ["seqscan", "bitmapscan", "hashjoin", "mergejoin", "material"])
      yield* sql.unsafe(`SET LOCAL enable_${each} = off`)
    yield* sql.unsafe("SET LOCAL plan_cache_mode = force_generic_plan")
    return yield* Effect.forEach(texts, (text) =>
      Effect.gen(function* () {
        const most = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
        const values = most === 0 ? "" : `(${Array.from({ length: most }, () => "NULL").join(", ")})`
        yield* sql.unsafe(`PREPARE asked AS ${text}`)
        const [row] = yield* sql.unsafe<{ readonly "QUERY PLAN": readonly [{ readonly Plan: Plan }] }>(
          `EXPLAIN (FORMAT JSON) EXECUTE asked${values}`
        )
        yield* sql.unsafe("DEALLOCATE asked")
        const plan = row?.["QUERY PLAN"][0].Plan
        return plan === undefined || nodesOf(plan).includes("ModifyTable") ? [] : [...new Set(scansOf(plan))]
      })
    )
  })

/** Sends a request and returns its status and body. */
type Ask = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>
) => Effect.Effect<{ readonly status: number; readonly json: unknown }>

/** Creates samples of everything, with 50 copies of each row, and returns the names of the samples. */
const planted = Effect.fnUntraced(function* (walk: Walk, size: number, ask: Ask) {
  const sql = yield* SqlClient
  const send: Send = async (method, path, body, headers) =>
    (await Effect.runPromise(ask(method, path, body, headers))).json ?? {}
  const names = yield* Effect.promise(() =>
    walk.makeSamples({ send, size, openPgpKey: annsKey, until: async () => {} })
  )
  const client = {
    query: async (text: string) => ({ rows: await Effect.runPromise(sql.unsafe(text)) })
  }
  yield* Effect.promise(() => multiplyRows(client, 50))
  yield* sql.unsafe("ANALYZE")
  return names
})

/** The table of settings has one row. */
const isExpectedScan = (line: string) => / Seq Scan settings/.test(` ${line}`)

/** Compares a line for each list, and a line for the new reads of its statements, with the golden file. */
const compared = Effect.fnUntraced(function* (
  walk: Walk,
  names: Names,
  statements: ReadonlyArray<string>,
  ask: Ask,
  file: string,
  isExpected: (line: string) => boolean = () => false
) {
  const sql = yield* SqlClient
  const known = new Set<string>()
  const sent = new Map<string, ReadonlyArray<string>>()
  for (const path of walk.lists) {
    const before = statements.length
    yield* ask("GET", addressOf(walk, path, names))
    const own = statements.slice(before).filter((text) => !known.has(text))
    for (const text of own) known.add(text)
    sent.set(path, own)
  }
  const all = [...sent.values()].flat()
  // The use of a token is recorded once a minute, independently of the list.
  const scans = new Map(
    (yield* sql.withTransaction(explained(all))).map((read, at) => [
      all[at] ?? "",
      read.length === 0 ? [] : [read.join(", ")]
    ])
  )
  const lists = [...sent]
    .flatMap(([path, texts]) => [path, ...texts.flatMap((text) => scans.get(text)?.map((line) => `  ${line}`) ?? [])])
    .map((line) => `${line}\n`)
    .join("")
  const sequential = lists
    .split("\n")
    .filter((line) => / Seq Scan /.test(` ${line}`) && !isExpectedScan(line) && !isExpected(line))
  expect(sequential).toEqual([])
  // Other PostgreSQL versions plan differently, and have separate files.
  const [[version] = []] = yield* sql`SHOW server_version_num`.values
  const golden = `./golden/postgresql-${Math.floor(Number(version) / 10_000)}/${file}.txt`
  yield* Effect.promise(() => expect(lists).toMatchFileSnapshot(golden))
})

describe.skipIf(postgresMissing() !== undefined)("the queries of list routes", () => {
  it.live("use the indexes in the golden file, for the forge", () =>
    Effect.gen(function* () {
      const { statements, tracer } = statementTracer()
      const context = yield* Layer.build(
        Layer.provideMerge(forgeSql.layerStores, layerTestServer({ migrations: forgeSql.migrations }))
      )
      const { mint, send } = yield* forgeService.start({
        switches: { codeSearch: true },
        store: Layer.succeedContext(context),
        tracer: Layer.succeed(Tracer.Tracer, tracer)
      })
      yield* Effect.provideContext(seedLists(200), context)
      const token = yield* mint("user-1", ["all"])
      const ask: Ask = (method, path, body, headers) =>
        send(method, path, { body, headers: { ...headers, authorization: forgeLists.authorization(path, token) } })
      const names = yield* Effect.provideContext(planted(forgeLists, 200, ask), context)
      yield* Effect.provideContext(compared(forgeLists, names, statements, ask, "forge-lists"), context)
    }).pipe(Effect.scoped)
  )

  it.live("use the indexes in the golden file, for the deployment platform", () =>
    Effect.gen(function* () {
      const { statements, tracer } = statementTracer()
      const context = yield* Layer.build(
        Layer.provideMerge(deploySql.layerStores, layerTestServer({ migrations: deploySql.migrations }))
      )
      const service = yield* deployService.start(Layer.succeedContext(context), Layer.succeed(Tracer.Tracer, tracer))
      const askWith =
        (token?: string): Ask =>
        (method, path, body, headers) =>
          service.send(method, `/api/v1${path}`, {
            body,
            headers: headers ?? {},
            ...(token === undefined ? {} : { token })
          })
      const { token } = yield* makeTeam(service, "other")
      const names = yield* Effect.provideContext(planted(deployLists, 50, askWith()), context)
      // The root team counts all deployments: those of removed servers belong to it.
      const ofRoot = (line: string) => /Seq Scan deployment,.* row_count_block/.test(line)
      yield* Effect.provideContext(compared(deployLists, names, statements, askWith(), "deploy-lists", ofRoot), context)
      const walk = { ...deployLists, lists: deployLists.lists.filter((path) => !path.includes("{")) }
      yield* Effect.provideContext(compared(walk, names, statements, askWith(token), "deploy-lists-of-teams"), context)
    }).pipe(Effect.scoped)
  )
})
