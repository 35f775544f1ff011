import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import { systemCaller, visibleTo } from "@slipway/domain/deploy/entry"
import { ownerAccess, rootTeam, TeamId, TeamStore } from "@slipway/domain/deploy/identity"
import {
  DestinationStore,
  type HostKey,
  HostKeyStore,
  type LogDrain,
  PrivateKeyStore,
  ServerStore
} from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment, newDestination, newPrivateKey, newServer, uuidOf } from "../../builders.ts"
import { newTeam } from "../../people.ts"

const validated = (isUsable: boolean) => ({ isReachable: true, isUsable, because: "", at: moment(1) })

const drain = (type: LogDrain["type"], isEnabled: boolean): LogDrain => ({
  type,
  isEnabled,
  url: "https://logs.example",
  dataset: "",
  secret: null
})

/** Contract tests of the store of servers, in addition to the contract of every collection. */
export const servers: Contract<Stores> = {
  port: "ServerStore",
  musts: {
    "find several existing servers in one call, in the order of insertion": Effect.gen(function* () {
      const store = yield* ServerStore
      const [one, two] = [yield* store.insert(newServer(2)), yield* store.insert(newServer(1))]
      yield* store.insert(newServer(3))
      assert.deepStrictEqual(yield* store.findMany([two.uuid, uuidOf("server", 404), one.uuid, two.uuid]), [one, two])
      assert.deepStrictEqual(yield* store.findMany([]), [])
    }),
    "find the oldest build server of the given team, except those with a failed validation": Effect.gen(function* () {
      const store = yield* ServerStore
      const { id: teamId } = yield* (yield* TeamStore).insert(newTeam(1))
      const build = { isBuildServer: true }
      yield* store.insert(newServer(6))
      yield* store.insert(newServer(5, { ...build, validation: validated(false) }))
      const other = yield* store.insert(newServer(4, { ...build, teamId }))
      const first = yield* store.insert(newServer(3, build))
      const second = yield* store.insert(newServer(2, { ...build, validation: validated(true) }))
      assert.deepStrictEqual(yield* store.findBuildServer(rootTeam), first)
      assert.deepStrictEqual(yield* store.findBuildServer(teamId), other)
      assert.isUndefined(yield* store.findBuildServer(TeamId.make(404)))
      yield* store.replace({ ...first, isBuildServer: false })
      assert.deepStrictEqual(yield* store.findBuildServer(rootTeam), second)
      yield* store.remove(second.uuid)
      assert.isUndefined(yield* store.findBuildServer(rootTeam))
    }),
    "list and count only the servers with the given private key, in the order of insertion, that a caller sees":
      Effect.gen(function* () {
        const keys = yield* PrivateKeyStore
        const { uuid: privateKeyUuid } = yield* keys.insert(newPrivateKey(1))
        const { uuid: other } = yield* keys.insert(newPrivateKey(2))
        const { id: teamId } = yield* (yield* TeamStore).insert(newTeam(1))
        const store = yield* ServerStore
        const one = yield* store.insert(newServer(5, { privateKeyUuid }))
        yield* store.insert(newServer(4))
        const two = yield* store.insert(newServer(3, { privateKeyUuid, teamId }))
        const three = yield* store.insert(newServer(2, { privateKeyUuid }))
        assert.deepStrictEqual(yield* store.withKey(privateKeyUuid, { limit: 10 }), [one, two, three])
        assert.deepStrictEqual(yield* store.withKey(privateKeyUuid, { skip: 1, limit: 1 }), [two])
        assert.deepStrictEqual(yield* store.withKey(privateKeyUuid, { after: one.id, limit: 10 }), [two, three])
        assert.strictEqual(yield* store.countWithKey(privateKeyUuid), 3)
        assert.deepStrictEqual(yield* store.withKey(other, { limit: 10 }), [])
        assert.strictEqual(yield* store.countWithKey(other), 0)
        const owner = visibleTo({ ...systemCaller, access: ownerAccess(rootTeam) }, "server.read")
        assert.deepStrictEqual(yield* store.withKey(privateKeyUuid, { limit: 10 }, owner), [one, three])
        assert.strictEqual(yield* store.countWithKey(privateKeyUuid, owner), 2)
      }),
    "list only the servers with the given address and port, ignoring case": Effect.gen(function* () {
      const store = yield* ServerStore
      const one = yield* store.insert(newServer(4, { ip: "Host.example", port: 22 }))
      yield* store.insert(newServer(3, { ip: "host.example", port: 2_222 }))
      const two = yield* store.insert(newServer(2, { ip: "host.EXAMPLE", port: 22 }))
      yield* store.insert(newServer(1, { ip: "host.example.org", port: 22 }))
      assert.deepStrictEqual(yield* store.atAddress("HOST.example", 22), [one, two])
      assert.deepStrictEqual(yield* store.atAddress("192.0.2.1", 22), [])
    }),
    "list only the servers with metrics, in the order of insertion": Effect.gen(function* () {
      const store = yield* ServerStore
      assert.deepStrictEqual(yield* store.withMetrics, [])
      const one = yield* store.insert(newServer(4, { isMetricsEnabled: true }))
      const two = yield* store.insert(newServer(3))
      const three = yield* store.insert(newServer(2, { isMetricsEnabled: true }))
      assert.deepStrictEqual(yield* store.withMetrics, [one, three])
      const changed = { ...two, isMetricsEnabled: true }
      yield* store.replace(changed)
      yield* store.replace({ ...one, isMetricsEnabled: false })
      assert.deepStrictEqual(yield* store.withMetrics, [changed, three])
    }),
    "list only the servers with an enabled log drain, in the order of insertion": Effect.gen(function* () {
      const store = yield* ServerStore
      const both = [drain("http", false), drain("syslog", true)]
      yield* store.insert(newServer(5))
      const one = yield* store.insert(newServer(4, { logDrains: both }))
      yield* store.insert(newServer(3, { logDrains: [drain("http", false)] }))
      const two = yield* store.insert(newServer(2, { logDrains: [drain("otlp", true)] }))
      assert.deepStrictEqual(yield* store.withLogDrains, [one, two])
      yield* store.replace({ ...one, logDrains: [drain("syslog", false)] })
      assert.deepStrictEqual(yield* store.withLogDrains, [two])
    })
  }
}

/** Contract tests of the store of destinations, in addition to the contract of every collection. */
export const destinations: Contract<Stores> = {
  port: "DestinationStore",
  musts: {
    "list only the destinations of the given server, in the order of insertion": Effect.gen(function* () {
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
    }),
    "find several existing destinations in one call, in the order of insertion": Effect.gen(function* () {
      const store = yield* DestinationStore
      const server = yield* (yield* ServerStore).insert(newServer(1))
      const [one, two] = [
        yield* store.insert(newDestination(2, server)),
        yield* store.insert(newDestination(1, server))
      ]
      yield* store.insert(newDestination(3, server))
      const missing = uuidOf<typeof one.uuid>("destination", 404)
      assert.deepStrictEqual(yield* store.findMany([two.uuid, missing, one.uuid, two.uuid]), [one, two])
      assert.deepStrictEqual(yield* store.findMany([]), [])
    })
  }
}

const a = { address: "a.example:22", fingerprint: "SHA256:a" }
const b = { ...a, fingerprint: "SHA256:b" }
const elsewhere = { ...b, address: "a.example:2222" }

const byAddress = (one: HostKey, other: HostKey): number => (one.address < other.address ? -1 : 1)

/** Contract tests of the store of SSH host keys of servers. */
export const hostKeys: Contract<Stores> = {
  port: "HostKeyStore",
  musts: {
    "store the first host key of a server's address, and accept no other afterwards": Effect.gen(function* () {
      const { uuid } = yield* (yield* ServerStore).insert(newServer(1))
      const store = yield* HostKeyStore
      for (const [key, isKnown] of [
        [a, true],
        [b, false],
        [a, true],
        [b, false]
      ] as const) {
        assert.strictEqual(yield* store.admit(uuid, key), isKnown)
      }
      assert.deepStrictEqual(yield* store.ofServer(uuid), [a])
    }),
    "accept only one of several host keys that an address presents concurrently": Effect.gen(function* () {
      const { uuid } = yield* (yield* ServerStore).insert(newServer(1))
      const store = yield* HostKeyStore
      const keys = Array.from({ length: 10 }, (_, n) => ({ ...a, fingerprint: `SHA256:${n}` }))
      const admitted = yield* Effect.all(
        keys.map((key) => store.admit(uuid, key)),
        { concurrency: "unbounded" }
      )
      const [admittedKey, ...others] = yield* store.ofServer(uuid)
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual(
        keys.filter((_, n) => admitted[n]),
        [admittedKey]
      )
    }),
    "keep the host keys of different servers and addresses separate": Effect.gen(function* () {
      const servers = yield* ServerStore
      const one = yield* servers.insert(newServer(1))
      const other = yield* servers.insert(newServer(2))
      const store = yield* HostKeyStore
      assert.isTrue(yield* store.admit(one.uuid, a))
      assert.isTrue(yield* store.admit(one.uuid, elsewhere))
      assert.isTrue(yield* store.admit(other.uuid, b))
      assert.deepStrictEqual(yield* store.ofServer(one.uuid), [elsewhere, a].sort(byAddress))
      assert.deepStrictEqual(yield* store.ofServer(other.uuid), [b])
      assert.deepStrictEqual(yield* store.ofServer(uuidOf("server", 404)), [])
    }),
    "accept any host key after the host keys of a server are removed": Effect.gen(function* () {
      const servers = yield* ServerStore
      const one = yield* servers.insert(newServer(1))
      const other = yield* servers.insert(newServer(2))
      const store = yield* HostKeyStore
      yield* store.admit(one.uuid, a)
      yield* store.admit(other.uuid, a)
      yield* store.forget(one.uuid)
      assert.deepStrictEqual(yield* store.ofServer(one.uuid), [])
      assert.isTrue(yield* store.admit(one.uuid, b))
      assert.isFalse(yield* store.admit(other.uuid, b))
    }),
    "remove the host keys of a removed server": Effect.gen(function* () {
      const servers = yield* ServerStore
      const { uuid } = yield* servers.insert(newServer(1))
      const store = yield* HostKeyStore
      yield* store.admit(uuid, a)
      yield* servers.remove(uuid)
      assert.deepStrictEqual(yield* store.ofServer(uuid), [])
      assert.isFalse(yield* store.admit(uuid, a))
    })
  }
}
