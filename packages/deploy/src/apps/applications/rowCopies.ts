import { makeUuid, Vault } from "@slipway/domain"
import { StorageStore, StorageUuid, TagStore, VariableStore, VariableUuid } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { Effect } from "effect"
import { contentOwner } from "../storages/Storages.ts"
import { valueOwner } from "../variables/Variables.ts"

const cloneVariables = Effect.fnUntraced(function* (source: ApplicationUuid, clone: ApplicationUuid, at: string) {
  const vault = yield* Vault
  const store = yield* VariableStore
  const copies = yield* Effect.forEach(
    yield* store.ofApplication(source),
    Effect.fnUntraced(function* ({ id: _, ...variable }) {
      const uuid = yield* makeUuid(VariableUuid)
      const opened = yield* vault.open(valueOwner(variable.uuid), variable.value)
      const value = yield* vault.seal(valueOwner(uuid), opened)
      return { ...variable, uuid, applicationUuid: clone, value, createdAt: at, updatedAt: at }
    })
  )
  yield* store.insertMany(copies)
})

const cloneTags = Effect.fnUntraced(function* (source: ApplicationUuid, clone: ApplicationUuid) {
  const tags = yield* TagStore
  const held = yield* tags.ofApplication(source)
  yield* tags.attach(
    clone,
    held.map(({ uuid }) => uuid)
  )
})

const cloneStorages = Effect.fnUntraced(function* (source: ApplicationUuid, clone: ApplicationUuid, at: string) {
  const store = yield* StorageStore
  const vault = yield* Vault
  const copies = yield* Effect.forEach(
    yield* store.ofApplication(source),
    Effect.fnUntraced(function* ({ id: _, ...storage }) {
      const uuid = yield* makeUuid(StorageUuid)
      const opened = storage.content && (yield* vault.open(contentOwner(storage.uuid), storage.content))
      const content = opened && (yield* vault.seal(contentOwner(uuid), opened))
      return { ...storage, uuid, content, applicationUuid: clone, createdAt: at, updatedAt: at }
    })
  )
  yield* store.insertMany(copies)
})

/** Copies the variables, tags and storages of an application to another, within a transaction. */
export const copyRows = Effect.fnUntraced(function* (source: ApplicationUuid, clone: ApplicationUuid, at: string) {
  yield* cloneVariables(source, clone, at)
  yield* cloneTags(source, clone)
  yield* cloneStorages(source, clone, at)
})
