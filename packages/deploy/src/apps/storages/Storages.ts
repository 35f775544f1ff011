import { Duplicate, InvalidInput, makeUuid, now, Transaction } from "@slipway/domain"
import type { Application } from "@slipway/domain/deploy/apps"
import {
  ApplicationNotFound,
  ApplicationStore,
  mostStorages,
  type Storage,
  type StorageInput,
  StorageNotFound,
  StorageStore,
  StorageUuid
} from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { InstancePolicy } from "@slipway/domain/deploy/containers"
import type { Authorized } from "@slipway/domain/deploy/entry"
import type { PlannedMount } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"

const refused = (field: string, sentence: string) => new InvalidInput({ problems: { [field]: [sentence] } })

// Locked, so that concurrently added storages are counted one after the other.
const lock = Effect.fnUntraced(function* (uuid: ApplicationUuid) {
  const application = yield* (yield* ApplicationStore).lock(uuid)
  return application ?? (yield* new ApplicationNotFound())
})

const requireAllowed = Effect.fnUntraced(function* ({ hostPath }: Pick<StorageInput, "hostPath">) {
  const { hostAccess } = yield* InstancePolicy
  if (hostPath !== null && !hostAccess) {
    return yield* refused("host_path", "This instance does not allow applications to mount server paths.")
  }
})

const taken = new Duplicate({ of: "storage.mount_path" })

/** Lists the storages of an application. */
export const list = Effect.fnUntraced(function* ({ resource }: Authorized<"application.read" | "service.read">) {
  return yield* (yield* StorageStore).ofApplication(resource.application.uuid)
})

const requireRoom = Effect.fnUntraced(function* ({ configuration, uuid, variant }: Application) {
  if (variant !== "service" && configuration.build_pack === "dockercompose") {
    return yield* refused("type", "The compose file of an application defines the volumes of its services.")
  }
  const present = yield* (yield* StorageStore).ofApplication(uuid)
  if (present.length >= mostStorages) {
    return yield* refused("name", `An application has at most ${mostStorages} storages.`)
  }
})

/** Adds a storage to an application; its containers mount it from the next deployment on. */
export const create = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.update" | "service.update">,
  input: StorageInput
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const application = yield* lock(resource.application.uuid)
      yield* requireAllowed(input)
      yield* requireRoom(application)
      const at = yield* now
      const [added] = yield* (yield* StorageStore).insertMany([
        {
          ...input,
          uuid: yield* makeUuid(StorageUuid),
          applicationUuid: application.uuid,
          createdAt: at,
          updatedAt: at
        }
      ])
      return added ?? (yield* Effect.fail(taken))
    })
  )
})

/** The storage of an application that a request names, by uuid or by number. */
export interface NamedStorage {
  readonly uuid?: string | undefined
  readonly id?: number | undefined
}

/** Changes a storage of an application; a volume under a new name is another volume. */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.update" | "service.update">,
  named: NamedStorage,
  input: Partial<StorageInput>
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const application = yield* lock(resource.application.uuid)
      const store = yield* StorageStore
      const all = yield* store.ofApplication(application.uuid)
      const present = all.find((each) => (named.uuid === undefined ? each.id === named.id : each.uuid === named.uuid))
      if (present === undefined) return yield* new StorageNotFound()
      const changed: Storage = { ...present, ...input, updatedAt: yield* now }
      yield* requireAllowed({ hostPath: input.hostPath ?? null })
      if (!(yield* store.replace(changed))) return yield* Effect.fail(taken)
      return changed
    })
  )
})

/** Removes a storage from its application; the volume stays until the application is deleted. */
export const remove = Effect.fnUntraced(function* ({
  resource
}: Authorized<"application.storage.delete" | "service.storage.delete">) {
  const { application, storage } = resource
  const removed = yield* (yield* StorageStore).remove(application.uuid, storage.uuid)
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
