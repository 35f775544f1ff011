import { expect, it } from "@effect/vitest"
import type { CallerKey, FactsQuery } from "@slipway/domain/forge"
import { UserStore } from "@slipway/domain/forge"
import { migrations } from "@slipway/sql/forge"
import { newUser } from "@slipway/testkit/forge"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { loadStatement } from "../../src/forge/facts.ts"
import { onEachEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly Plans?: ReadonlyArray<Plan>
}

const scans = (plan: Plan): ReadonlyArray<string> => [
  ...(plan["Node Type"] === "Seq Scan" ? [plan["Relation Name"] ?? ""] : []),
  ...(plan.Plans ?? []).flatMap(scans)
]

const callers: ReadonlyArray<CallerKey> = [
  { _tag: "Nobody" },
  { _tag: "TokenHash", hash: "ab" },
  { _tag: "Name", name: "user-7" },
  { _tag: "SignInName", name: "user-7", failureKeys: ["account:user-7", "address:192.0.2.1"] }
]

onEachEngine((engine) => {
  it.live("what lets a request in is found by keys alone, however many users there are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* (yield* UserStore).insert(newUser(1))
      const columns = (skip: string) => sql`
        SELECT string_agg(quote_ident(column_name), ', ')::text AS columns FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = 'account' AND column_name <> ALL(string_to_array(${skip}, ','))`
      const [row] = yield* columns("id,name,name_key")
      const others = sql.literal(String(row?.columns))
      yield* sql`
        INSERT INTO account (id, name, name_key, ${others})
        SELECT 100 + n, 'many-' || n, 'many-' || n, ${others} FROM account, generate_series(1, 5000) n`
      yield* sql`INSERT INTO owner_name SELECT name_key, id, true FROM account WHERE id > 100`
      yield* sql`
        INSERT INTO email (user_id, address, address_key, verified, is_primary)
        SELECT id, name || '@example.org', name_key || '@example.org', true, true FROM account WHERE id > 100`
      yield* sql`
        INSERT INTO access_token (user_id, name, name_key, hash, scopes, last_eight, created_at)
        SELECT id, 'token', 'token', 'hash ' || id, '["all"]', 'abcdefgh', now() FROM account`
      yield* sql`INSERT INTO second_factor SELECT id, 'sealed', true, 0 FROM account`
      yield* sql`INSERT INTO sign_in_failure SELECT 'account:' || name_key, 1, now() FROM account`
      yield* sql`ANALYZE`
      for (const caller of callers) {
        for (const sudo of [undefined, "user-9"]) {
          for (const about of [{ kind: "site" }, { kind: "user", name: "user-3" }] as const) {
            const query = { caller, sudo, about } as FactsQuery<"site">
            const [explained] = yield* sql<{ readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: Plan }> }>`
              EXPLAIN (FORMAT JSON) ${loadStatement(sql, query)}`
            const plan = explained?.["QUERY PLAN"][0]?.Plan
            expect([caller._tag, sudo, about.kind, plan === undefined ? "no plan" : scans(plan)]).toEqual([
              caller._tag,
              sudo,
              about.kind,
              []
            ])
          }
        }
      }
    }).pipe(Effect.provide(layerEmptied(engine)))
  )
}, migrations)
