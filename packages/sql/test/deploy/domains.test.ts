import { expect, it } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import { DomainKey, DomainStore } from "@slipway/domain/deploy/apps"
import { migrations } from "@slipway/sql/deploy"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { onEachEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

const instance = { type: "instance", uuid: null } as const

onEachEngine((engine) => {
  const layer = layerEmptied(engine)

  // PostgreSQL keeps all locks in one table of fixed size: a request that fills it would block all others.
  it.live("locking the maximum of domains takes a bounded number of locks (invariant I25)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { run } = yield* Transaction
      const keys = Array.from({ length: 10_000 }, (_, index) => DomainKey.make(`${index}.example`))
      const [held] = yield* run(
        Effect.andThen(
          (yield* DomainStore).lock(keys),
          Effect.orDie(sql<{ readonly amount: number }>`
            SELECT count(*)::int AS amount FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()`)
        )
      )
      expect(held?.amount).toBeGreaterThan(100)
      expect(held?.amount).toBeLessThanOrEqual(1024)
    }).pipe(Effect.provide(layer))
  )

  // A B-tree entry holds about 2,700 bytes, and a domain with its path may be longer.
  it.live("the longest domain can be claimed and found", () =>
    Effect.gen(function* () {
      const domains = yield* DomainStore
      // No repetitions, because PostgreSQL would compress them.
      let state = 1
      const letter = () => {
        state = (state * 48_271) % 2_147_483_647
        return (state % 36).toString(36)
      }
      const path = Array.from({ length: 20_000 }, letter).join("")
      const keys = [DomainKey.make(`a.example/${path}`), DomainKey.make(`a.example/${path.slice(1)}`)]
      yield* domains.replace(instance, keys)
      expect((yield* domains.claims(keys)).map(({ key }) => key)).toEqual(keys)
      yield* domains.replace(instance, [])
      expect(yield* domains.claims(keys)).toEqual([])
    }).pipe(Effect.provide(layer))
  )
}, migrations)
