// @effect-diagnostics missingLayerContext:off
import { describe, expect, it } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import { layerStores, migrations } from "@slipway/sql/deploy"
import { layerTestServer, postgresMissing } from "@slipway/sql/testing"
import { Effect, Layer } from "effect"
import { runs, seed } from "../../../../../scripts/vitest/runs.ts"
import { type Service, start, stores } from "../support/harness.ts"
import { makeTeam } from "../support/members.ts"
import { dice, type List, listed, type Planted, plantTeam, randomCaller, statusOf } from "../support/randomWorlds.ts"

/**
 * Random worlds of teams, grants and tokens. Each list of a member contains exactly the rows that single reads return,
 * with the right total. The oracle in `statusOf` is written from the description of roles, not from the rules.
 */

const uuidOf = (row: Readonly<Record<string, string>>): string => row["deployment_uuid"] ?? row["uuid"] ?? ""

/** Reads a whole list in pages of two; returns the uuids and the total of each page. */
const pagesOf = Effect.fnUntraced(function* ({ send }: Service, list: List, token: string) {
  const uuids: Array<string> = []
  const totals = new Set<string | null>()
  for (let page = 1; page < 200; page += 1) {
    const { headers, json, status } = yield* send("GET", `/api/v1/${list}?per_page=2&page=${page}`, { token })
    if (status !== 200) return { status, uuids, totals }
    totals.add(headers.get("x-total-count"))
    uuids.push(...json.map(uuidOf))
    if (json.length < 2) break
  }
  return { status: 200, uuids, totals }
})

const holds = (name: string, layer: Layer.Layer<Stores>, worlds: number, callers: number) =>
  it.live(
    `lists contain what single reads return, with totals, in ${worlds} random worlds: ${name}`,
    () =>
      Effect.gen(function* () {
        let [seen, hidden] = [0, 0]
        for (let from = seed; from < seed + worlds; from += 1) {
          const fall = dice(from)
          const service = yield* start(layer)
          const rootOwner = service.root
          const teams: Array<Planted & { readonly owner: string }> = []
          for (const each of ["root", "one", "two"]) {
            const { id, token } = each === "root" ? { id: 0, token: rootOwner } : yield* makeTeam(service, each)
            teams.push({ ...(yield* plantTeam(service, id, token, fall)), owner: token })
          }
          const rows = teams.flatMap((each) => each.rows)
          for (let left = callers; left > 0; left -= 1) {
            const caller = yield* randomCaller(service, teams, fall)
            const resources = yield* service.send("GET", "/api/v1/resources", { token: caller.token })
            const onServers = rows.filter(({ list }) => ["applications", "databases", "services"].includes(list))
            const shown = onServers.filter((row) => statusOf(caller, row) === 200).map(({ uuid }) => uuid)
            expect(resources.status === 200 ? resources.json.map(uuidOf).sort() : [], caller.text).toEqual(shown.sort())
            for (const list of listed) {
              const about = `world ${from}: ${list} of ${caller.text}`
              const own = rows.filter((row) => row.list === list)
              const found = yield* pagesOf(service, list, caller.token)
              const wanted = own.filter((row) => statusOf(caller, row) === 200).map(({ uuid }) => uuid)
              if (found.status !== 200) {
                expect({ about, status: found.status, wanted }).toEqual({ about, status: 403, wanted: [] })
                continue
              }
              // The first start and other callers add rows, such as tokens.
              const known = new Set(own.map(({ uuid }) => uuid))
              expect(
                found.uuids.filter((uuid) => known.has(uuid)),
                about
              ).toEqual(wanted)
              expect([...found.totals], about).toEqual([String(found.uuids.length)])
              for (const uuid of found.uuids.slice(0, 50)) {
                yield* service.ask(200, "GET", `/${list}/${uuid}`, undefined, { token: caller.token })
              }
              for (const row of own) {
                const { status } = yield* service.send("GET", `/api/v1/${list}/${row.uuid}`, { token: caller.token })
                expect({ about, row, status }).toEqual({ about, row, status: statusOf(caller, row) })
                if (status === 200) seen += 1
                else hidden += 1
              }
            }
          }
        }
        expect(seen).toBeGreaterThan(50)
        expect(hidden).toBeGreaterThan(50)
      }).pipe(Effect.scoped),
    120_000
  )

describe("random worlds of members", () => {
  holds("memory", stores.memory, runs(3), 10)
  holds("embedded PostgreSQL", stores["embedded PostgreSQL"], runs(1), 10)
  describe.skipIf(postgresMissing() !== undefined)("with a server", () => {
    const server = Layer.orDie(Layer.provide(layerStores, layerTestServer({ migrations })))
    holds("PostgreSQL", server, runs(1), 10)
  })
})
