import { Duplicate, InvalidInput, makeUuid, now, Transaction, Vault } from "@slipway/domain"
import type { Application } from "@slipway/domain/deploy/apps"
import {
  mostStorages,
  originalOf,
  type Storage,
  type StorageInput,
  StorageNotFound,
  StorageStore,
  StorageUuid
} from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { InstancePolicy } from "@slipway/domain/deploy/containers"
import type { Authorized } from "@slipway/domain/deploy/entry"
import type { PlannedFile, PlannedMount } from "@slipway/domain/deploy/runtime"
import { Effect, Redacted } from "effect"
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

/** Identifies the encrypted content of a file storage for the secret store. */
export const contentOwner = (uuid: string) => ({ uuid, field: "content" })

/** The settings of a new storage. With `content`, the storage is a file instead of a volume or directory. */
export interface NewStorage extends StorageInput {
  readonly content?: Redacted.Redacted | undefined
}

/** Adds a storage to a resource. Its containers mount it from the next deployment or start on. */
export const create = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.update" | "database.update" | "service.update">,
  { content, ...input }: NewStorage
) {
  const transaction = yield* Transaction
  const uuid = yield* makeUuid(StorageUuid)
  const sealed = content === undefined ? null : yield* (yield* Vault).seal(contentOwner(uuid), content)
  return yield* transaction.run(
    Effect.gen(function* () {
      const owner = yield* lockOwner(resource)
      yield* requireAllowed(input)
      if ("application" in owner && isFromCompose(owner.application)) {
        return yield* refused("type", "The compose file of an application defines the storages of its services.")
      }
      const store = yield* StorageStore
      if ((yield* store.ofApplication(owner.uuid)).length >= mostStorages) {
        return yield* refused("name", `${capitalized(resource)} has at most ${mostStorages} storages.`)
      }
      const at = yield* now
      const [added] = yield* store.insertMany([
        {
          ...input,
          uuid,
          content: sealed,
          applicationUuid: owner.uuid,
          createdAt: at,
          updatedAt: at
        }
      ])
      return added ?? (yield* Effect.fail(taken))
    })
  )
})

/** The storage that a request names, by its uuid or numeric id. */
export interface NamedStorage {
  readonly uuid?: string | undefined
  readonly id?: number | undefined
}

/** The type of a storage in requests: a single file, or a persistent volume or directory. */
export type StorageType = "file" | "persistent"

/** Returns why a change of a storage is not allowed; null if it is allowed. */
const changeProblem = (
  present: Storage,
  type: StorageType,
  { content, hostPath }: Partial<NewStorage>
): InvalidInput | null => {
  if ((present.content === null) !== (type === "persistent")) {
    return refused("type", "Must be the type of the storage.")
  }
  if (type === "persistent" && content !== undefined) return refused("content", "Only a file has content.")
  return type === "file" && hostPath !== undefined ? refused("host_path", "A file has no path of the server.") : null
}

/** Changes a storage of a resource. Another volume name selects another volume, and the data is not copied. */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.update" | "database.update" | "service.update">,
  named: NamedStorage,
  { content, ...input }: Partial<NewStorage>,
  type: StorageType
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const { uuid } = yield* lockOwner(resource)
      const store = yield* StorageStore
      const all = yield* store.ofApplication(uuid)
      const present = all.find((each) => (named.uuid === undefined ? each.id === named.id : each.uuid === named.uuid))
      if (present === undefined) return yield* new StorageNotFound()
      const problem = changeProblem(present, type, { ...input, content })
      if (problem !== null) return yield* problem
      const sealed = content && (yield* (yield* Vault).seal(contentOwner(present.uuid), content))
      const changed: Storage = { ...present, ...input, content: sealed ?? present.content, updatedAt: yield* now }
      yield* requireAllowed({ hostPath: input.hostPath ?? null })
      if (!(yield* store.replace(changed))) return yield* Effect.fail(taken)
      return changed
    })
  )
})

/** Removes a storage from its resource. The volume with its data stays until the resource is deleted. */
export const remove = Effect.fnUntraced(function* ({
  resource
}: Authorized<"application.storage.delete" | "database.storage.delete" | "service.storage.delete">) {
  const removed = yield* (yield* StorageStore).remove(ownerIn(resource), resource.storage.uuid)
  if (!removed) return yield* new StorageNotFound()
})

/**
 * Reads the storages that the containers of a resource mount. The copy of an application at an additional destination
 * mounts those of the application, with separate volumes.
 */
export const mountedBy = Effect.fnUntraced(function* (owner: ApplicationUuid) {
  return yield* (yield* StorageStore).ofApplication((yield* originalOf(owner)) ?? owner)
})

/** Converts storages to container mounts of volumes or server directories; file storages are omitted. */
export const mountsOf = (
  storages: ReadonlyArray<StorageInput & Pick<Storage, "content">>
): ReadonlyArray<PlannedMount> =>
  storages.flatMap(({ content, hostPath, mountPath, name, service }) =>
    content === null
      ? [
          {
            service,
            source: hostPath === null ? { _tag: "Volume", name } : { _tag: "Host", path: hostPath },
            target: mountPath,
            readOnly: false
          }
        ]
      : []
  )

/** Returns the file storages as files for containers, with their content. */
export const filesOf = Effect.fnUntraced(function* (storages: ReadonlyArray<Storage>) {
  const vault = yield* Vault
  const files = storages.flatMap(({ content, mountPath, service, uuid }) =>
    content === null ? [] : [{ content, path: mountPath, service, uuid }]
  )
  return yield* Effect.forEach(files, ({ content, path, service, uuid }) =>
    Effect.map(vault.open(contentOwner(uuid), content), (text): PlannedFile => ({ path, service, text }))
  )
})

/** Reads the content of a resource's file storages, by storage uuid. */
export const contents = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.secrets" | "database.secrets" | "service.secrets">,
  storages: ReadonlyArray<Storage>
) {
  const vault = yield* Vault
  const own = storages.filter(({ applicationUuid }) => applicationUuid === ownerIn(resource))
  const opened = yield* Effect.forEach(own, ({ content, uuid }) =>
    content === null
      ? Effect.succeed([])
      : Effect.map(vault.open(contentOwner(uuid), content), (text) => [[uuid, Redacted.value(text)] as const])
  )
  return new Map(opened.flat()) as ReadonlyMap<Storage["uuid"], string>
})
