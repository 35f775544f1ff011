import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import { type DrainProgress, LogDrainStore, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment, newServer, uuidOf } from "../../builders.ts"

const plant = Effect.gen(function* () {
  const servers = yield* ServerStore
  const { uuid: server } = yield* servers.insert(newServer(1))
  const { uuid: other } = yield* servers.insert(newServer(2))
  return { store: yield* LogDrainStore, servers, server, other }
})

const since = "2026-11-27T09:00:00.000000000Z"
const syslog: DrainProgress = {
  type: "syslog",
  since,
  positions: [
    { container: "web", at: "2026-11-27T09:00:01.000000001Z", count: 3 },
    { container: "db", at: "2026-11-27T09:00:02.000000000Z" }
  ]
}
const axiom: DrainProgress = { type: "axiom", since, positions: [] }

/** Contract tests of the store that records up to which position logs were sent to log drains. */
export const logDrains: Contract<Stores> = {
  port: "LogDrainStore",
  musts: {
    "replace the progress of a receiver": Effect.gen(function* () {
      const { other, server, store } = yield* plant
      assert.deepStrictEqual(yield* store.ofServer(server), [])
      yield* store.save(server, syslog)
      yield* store.save(server, axiom)
      assert.deepStrictEqual(yield* store.ofServer(server), [axiom, syslog])
      const next = { ...syslog, positions: syslog.positions.slice(1) }
      yield* store.save(server, next)
      assert.deepStrictEqual(yield* store.ofServer(server), [axiom, next])
      assert.deepStrictEqual(yield* store.ofServer(other), [])
    }),
    "let only one process send the logs of a server, until its claim expires": Effect.gen(function* () {
      const { other, server, store } = yield* plant
      const claim = (worker: string, at: number) => ({ worker, at: moment(at), until: moment(at + 10) })
      assert.isTrue(yield* store.claim(server, claim("one", 1)))
      assert.isFalse(yield* store.claim(server, claim("two", 5)))
      assert.isTrue(yield* store.claim(other, claim("two", 5)))
      assert.isTrue(yield* store.claim(server, claim("one", 6)))
      assert.isFalse(yield* store.claim(server, claim("two", 15)))
      assert.isTrue(yield* store.claim(server, claim("two", 16)))
      assert.isFalse(yield* store.claim(server, claim("one", 17)))
      assert.isFalse(yield* store.claim(uuidOf("server", 404), claim("one", 17)))
    }),
    "remove the progress of a removed server": Effect.gen(function* () {
      const { server, servers, store } = yield* plant
      yield* store.save(server, syslog)
      assert.isTrue(yield* servers.remove(server))
      assert.deepStrictEqual(yield* store.ofServer(server), [])
      yield* store.save(server, syslog)
      assert.deepStrictEqual(yield* store.ofServer(server), [])
    })
  }
}
