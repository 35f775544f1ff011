import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import {
  type Cleanup,
  CleanupStore,
  type CleanupUuid,
  mostCleanups,
  ServerStore
} from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment, newServer } from "../../builders.ts"

const cleanupOf = (
  n: number,
  server: { readonly uuid: Cleanup["serverUuid"] },
  facts: Partial<Cleanup> = {}
): Cleanup => ({
  uuid: `cleanup${String(n).padStart(17, "0")}` as CleanupUuid,
  serverUuid: server.uuid,
  status: "queued",
  message: null,
  createdAt: moment(n),
  updatedAt: moment(n),
  finishedAt: null,
  ...facts
})

const planted = Effect.gen(function* () {
  const servers = yield* ServerStore
  const [one, other] = [yield* servers.insert(newServer(1)), yield* servers.insert(newServer(2))]
  const store = yield* CleanupStore
  const insert = (n: number, server = one) => Effect.tap(Effect.succeed(cleanupOf(n, server)), store.insert)
  return { insert, one, other, servers, store }
})

/** Contract tests of the store of disk cleanups of servers. Every implementation must pass them. */
export const cleanups: Contract<Stores> = {
  port: "CleanupStore",
  musts: {
    "list only the cleanups of the given server, newest first": Effect.gen(function* () {
      const { insert, one, other, servers, store } = yield* planted
      const [second, first] = [yield* insert(2), yield* insert(1)]
      yield* insert(3, other)
      assert.deepStrictEqual(yield* store.ofServer(one.uuid), [first, second])
      const gone = yield* servers.insert(newServer(3))
      yield* servers.remove(gone.uuid)
      yield* insert(4, gone)
      assert.deepStrictEqual(yield* store.ofServer(gone.uuid), [])
    }),
    "list the newest cleanup of each server with cleanups": Effect.gen(function* () {
      const { insert, other, servers, store } = yield* planted
      yield* servers.insert(newServer(3))
      const others = yield* insert(3, other)
      yield* insert(2)
      const newest = yield* insert(1)
      assert.deepStrictEqual(yield* store.newest, [newest, others])
    }),
    "replace the result of a cleanup": Effect.gen(function* () {
      const { insert, one, store } = yield* planted
      const [first, second] = [yield* insert(1), yield* insert(2)]
      const ended: Cleanup = {
        ...first,
        status: "failed",
        message: "no \u{1f433} answers",
        updatedAt: moment(50),
        finishedAt: moment(51)
      }
      yield* store.replace(ended)
      assert.deepStrictEqual(yield* store.ofServer(one.uuid), [second, ended])
    }),
    "keep the newest cleanups of a server": Effect.gen(function* () {
      const { insert, one, other, store } = yield* planted
      const others = yield* insert(0, other)
      for (let n = 1; n <= mostCleanups + 2; n++) yield* insert(n)
      const left = yield* store.ofServer(one.uuid)
      assert.deepStrictEqual(
        [left.length, left[0]?.createdAt, left.at(-1)?.createdAt],
        [mostCleanups, moment(mostCleanups + 2), moment(3)]
      )
      assert.deepStrictEqual(yield* store.ofServer(other.uuid), [others])
    }),
    "remove the cleanups of a removed server": Effect.gen(function* () {
      const { insert, one, servers, store } = yield* planted
      yield* insert(1)
      yield* servers.remove(one.uuid)
      assert.deepStrictEqual(yield* store.ofServer(one.uuid), [])
    })
  }
}
