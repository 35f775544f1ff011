import { Duplicate, InvalidInput, makeUuid, now, Transaction } from "@slipway/domain"
import type { Application } from "@slipway/domain/deploy/apps"
import {
  mostStorages,
  type Storage,
  type StorageInput,
  StorageNotFound,
  StorageStore,
  StorageUuid
} from "@slipway/domain/deploy/apps"
import { InstancePolicy } from "@slipway/domain/deploy/containers"
import type { Authorized } from "@slipway/domain/deploy/entry"
import type { PlannedMount } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import { capitalized, lockOwner, ownerIn } from "../owners/owner.ts"

const refused = (field: string, sentence: string) => new InvalidInput({ problems: { [field]: [sentence] } })

const requireAllowed = Effect.fnUntraced(function* ({ hostPath }: Pick<StorageInput, "hostPath">) {
  const { hostAccess } = yield* InstancePolicy
  if (hostPath !== null && !hostAccess) {
    return yield* refused("host_path", "This instance does not allow containers to mount server paths.")
  }
})

const taken = new Duplicate({ of: "storage.mount_path" })

/** Lists the storages of an application, a service or a database. */
export const list = Effect.fnUntraced(function* ({
  resource
}: Authorized<"application.read" | "database.read" | "service.read">) {
  return yield* (yield* StorageStore).ofApplication(ownerIn(resource))
})

const isFromCompose = ({ configuration, variant }: Application): boolean =>
  variant !== "service" && configuration.build_pack === "dockercompose"

/** Adds a storage to a resource; its containers mount it from the next deployment or start on. */
export const create = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.update" | "database.update" | "service.update">,
  input: StorageInput
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const owner = yield* lockOwner(resource)
      yield* requireAllowed(input)
      if ("application" in owner && isFromCompose(owner.application)) {
        return yield* refused("type", "The compose file of an application defines the volumes of its services.")
      }
      const store = yield* StorageStore
      if ((yield* store.ofApplication(owner.uuid)).length >= mostStorages) {
        return yield* refused("name", `${capitalized(resource)} has at most ${mostStorages} storages.`)
      }
      const at = yield* now
      const [added] = yield* store.insertMany([
        {
          ...input,
          uuid: yield* makeUuid(StorageUuid),
          applicationUuid: owner.uuid,
          createdAt: at,
          updatedAt: at
        }
      ])
      return added ?? (yield* Effect.fail(taken))
    })
  )
})

/** The storage that a request names, by uuid or by number. */
export interface NamedStorage {
  readonly uuid?: string | undefined
  readonly id?: number | undefined
}

/** Changes a storage of a resource; a volume under a new name is another volume. */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.update" | "database.update" | "service.update">,
  named: NamedStorage,
  input: Partial<StorageInput>
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const { uuid } = yield* lockOwner(resource)
      const store = yield* StorageStore
      const all = yield* store.ofApplication(uuid)
      const present = all.find((each) => (named.uuid === undefined ? each.id === named.id : each.uuid === named.uuid))
      if (present === undefined) return yield* new StorageNotFound()
      const changed: Storage = { ...present, ...input, updatedAt: yield* now }
      yield* requireAllowed({ hostPath: input.hostPath ?? null })
      if (!(yield* store.replace(changed))) return yield* Effect.fail(taken)
      return changed
    })
  )
})

/** Removes a storage from its resource; the volume stays until the resource is deleted. */
export const remove = Effect.fnUntraced(function* ({
  resource
}: Authorized<"application.storage.delete" | "database.storage.delete" | "service.storage.delete">) {
  const removed = yield* (yield* StorageStore).remove(ownerIn(resource), resource.storage.uuid)
  if (!removed) return yield* new StorageNotFound()
})

/** Returns the mounts of storages in containers. */
export const mountsOf = (storages: ReadonlyArray<StorageInput>): ReadonlyArray<PlannedMount> =>
  storages.map(({ hostPath, mountPath, name, service }) => ({
    service,
    source: hostPath === null ? { _tag: "Volume", name } : { _tag: "Host", path: hostPath },
    target: mountPath,
    readOnly: false
  }))
