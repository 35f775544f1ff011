import { assert } from "@effect/vitest"
import { DestinationStore, ServerStore, type Stores } from "@slipway/domain/deploy"
import { Effect } from "effect"
import type { Contract } from "../../contract.ts"
import { newDestination, newServer, uuidOf } from "../builders.ts"

/** What the store of destinations promises beyond what every collection does. */
export const destinations: Contract<Stores> = {
  port: "DestinationStore",
  musts: {
    "list the destinations of one server alone, in the order of their insertion": Effect.gen(function* () {
      const servers = yield* ServerStore
      const store = yield* DestinationStore
      const one = yield* servers.insert(newServer(1))
      const other = yield* servers.insert(newServer(2))
      const rows = yield* Effect.forEach([6, 5, 4, 3, 2, 1], (n) =>
        store.insert(newDestination(n, n % 2 === 0 ? one : other))
      )
      const mine = rows.filter((row) => row.serverUuid === one.uuid)
      const [first] = mine
      assert.deepStrictEqual(yield* store.ofServer(one.uuid), mine)
      assert.isDefined(first)
      yield* store.remove(first.uuid)
      assert.deepStrictEqual(yield* store.ofServer(one.uuid), mine.slice(1))
      assert.deepStrictEqual(yield* store.ofServer(uuidOf("server", 404)), [])
    })
  }
}
