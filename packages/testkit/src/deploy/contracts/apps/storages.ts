import { assert } from "@effect/vitest"
import type { Sealed } from "@slipway/domain"
import type { Stores } from "@slipway/domain/deploy"
import {
  type Application,
  ApplicationStore,
  type Storage,
  StorageStore,
  type StorageUuid
} from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment } from "../../builders.ts"
import { twoApplications, twoDatabases } from "../base/support.ts"

const storageOf = (
  n: number,
  { uuid }: Pick<Application, "uuid">,
  facts: Partial<Storage> = {}
): Omit<Storage, "id"> => ({
  uuid: `storage${String(n).padStart(17, "0")}` as StorageUuid,
  applicationUuid: uuid,
  name: "data",
  mountPath: `/data/${n}`,
  service: null,
  hostPath: null,
  content: null,
  createdAt: moment(n),
  updatedAt: moment(n),
  ...facts
})

const insertOne = (store: StorageStore["Service"], row: Omit<Storage, "id">) =>
  Effect.map(store.insertMany([row]), ([added]) => added)

/** Contract tests of the store of storages (persistent volumes). Every implementation must pass them. */
export const storages: Contract<Stores> = {
  port: "StorageStore",
  musts: {
    "list only the storages of the given application, in the order of insertion": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const store = yield* StorageStore
      const b = yield* insertOne(
        store,
        storageOf(1, mine, { mountPath: "/b", hostPath: "/srv/b", content: "file" as Sealed })
      )
      yield* insertOne(store, storageOf(2, other))
      const a = yield* insertOne(store, storageOf(3, mine, { mountPath: "/a" }))
      assert.deepStrictEqual(
        yield* store.ofApplication(mine.uuid),
        [b, a].flatMap((row) => row ?? [])
      )
    }),
    "keep one storage per path of an application, and of each of its services": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const store = yield* StorageStore
      const first = (yield* insertOne(store, storageOf(1, mine, { mountPath: "/a" }))) ?? assert.fail()
      assert.isUndefined(yield* insertOne(store, storageOf(2, mine, { mountPath: "/a" })))
      assert.isDefined(yield* insertOne(store, storageOf(3, other, { mountPath: "/a" })))
      assert.isDefined(yield* insertOne(store, storageOf(4, mine, { mountPath: "/b" })))
      const web = { mountPath: "/a", service: "web" }
      assert.strictEqual((yield* insertOne(store, storageOf(5, mine, web)))?.service, "web")
      assert.isUndefined(yield* insertOne(store, storageOf(6, mine, web)))
      assert.isDefined(yield* insertOne(store, storageOf(7, mine, { ...web, service: "db" })))
      assert.isFalse(yield* store.replace({ ...first, mountPath: "/b" }))
      const changed = {
        ...first,
        name: "more",
        mountPath: "/c",
        hostPath: "/srv",
        content: "sealed" as Sealed,
        updatedAt: moment(9)
      }
      assert.isTrue(yield* store.replace(changed))
      assert.deepStrictEqual((yield* store.ofApplication(mine.uuid))[0], changed)
    }),
    "find a storage by its uuid, whatever its resource": Effect.gen(function* () {
      const [mine] = yield* twoApplications
      const store = yield* StorageStore
      const stored = (yield* insertOne(store, storageOf(1, mine, { service: "web" }))) ?? assert.fail()
      assert.deepStrictEqual(yield* store.find(stored.uuid), stored)
      assert.isUndefined(yield* store.find(storageOf(2, mine).uuid))
    }),
    "remove a storage only through its application": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const store = yield* StorageStore
      const { uuid } = (yield* insertOne(store, storageOf(1, mine))) ?? assert.fail()
      assert.isFalse(yield* store.remove(other.uuid, uuid))
      assert.isTrue(yield* store.remove(mine.uuid, uuid))
      assert.isFalse(yield* store.remove(mine.uuid, uuid))
    }),
    "remove the storages of a removed application": Effect.gen(function* () {
      const [mine] = yield* twoApplications
      const store = yield* StorageStore
      yield* insertOne(store, storageOf(1, mine))
      yield* (yield* ApplicationStore).remove(mine.uuid)
      assert.deepStrictEqual(yield* store.ofApplication(mine.uuid), [])
      assert.isUndefined(yield* insertOne(store, storageOf(2, mine)))
    }),
    "store the storages of databases in the same way": Effect.gen(function* () {
      const { one, other, remove } = yield* twoDatabases
      const store = yield* StorageStore
      const first = (yield* insertOne(store, storageOf(1, one, { mountPath: "/a" }))) ?? assert.fail()
      assert.strictEqual(first.applicationUuid, one.uuid)
      assert.isUndefined(yield* insertOne(store, storageOf(2, one, { mountPath: "/a" })))
      assert.isDefined(yield* insertOne(store, storageOf(3, other, { mountPath: "/a" })))
      assert.isTrue(yield* store.replace({ ...first, name: "more" }))
      assert.deepStrictEqual(yield* store.ofApplication(one.uuid), [{ ...first, name: "more" }])
      assert.isFalse(yield* store.remove(other.uuid, first.uuid))
      assert.isTrue(yield* store.remove(one.uuid, first.uuid))
      assert.isTrue(yield* remove(other))
      assert.deepStrictEqual(yield* store.ofApplication(other.uuid), [])
      assert.isUndefined(yield* insertOne(store, storageOf(4, other)))
    })
  }
}
