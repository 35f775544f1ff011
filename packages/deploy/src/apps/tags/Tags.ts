import { makeUuid, nameKey, now, Transaction } from "@slipway/domain"
import type { Placement } from "@slipway/domain/deploy/apps"
import { TagNotFound, TagStore, TagUuid } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { teamOf } from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import { listUseCase } from "../../base/reading/listUseCases.ts"
import { lockOwner, ownerIn } from "../owners/owner.ts"

/** Lists the tags of an application, a service or a database, ordered by name. */
export const list = Effect.fnUntraced(function* ({
  resource
}: Authorized<"application.tag.list" | "database.tag.list" | "service.tag.list">) {
  return yield* (yield* TagStore).ofApplication(ownerIn(resource))
})

/** Adds tags to a resource within a transaction; creates tags that do not exist. */
export const attach = Effect.fnUntraced(function* (
  { placement: { teamId }, uuid }: { readonly placement: Pick<Placement, "teamId">; readonly uuid: ApplicationUuid },
  names: ReadonlyArray<string>
) {
  if (names.length === 0) return
  const store = yield* TagStore
  const wanted = [...new Map(names.map((name) => [nameKey(name), name])).values()]
  const at = yield* now
  const drafts = yield* Effect.forEach(wanted, (name) =>
    Effect.map(makeUuid(TagUuid), (tagUuid) => ({ uuid: tagUuid, teamId, name, createdAt: at, updatedAt: at }))
  )
  const tags = yield* store.ensure(drafts)
  yield* store.attach(
    uuid,
    tags.map((tag) => tag.uuid)
  )
})

/** Adds tags to an application, service or database; creates missing tags. Returns all tags of the resource. */
export const add = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.tag.add" | "database.tag.add" | "service.tag.add">,
  names: ReadonlyArray<string>
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const owner = yield* lockOwner(resource)
      yield* attach(owner, names)
      return yield* (yield* TagStore).ofApplication(owner.uuid)
    })
  )
})

/** Removes a tag from an application, a service or a database. */
export const remove = Effect.fnUntraced(function* ({
  resource
}: Authorized<"application.tag.remove" | "database.tag.remove" | "service.tag.remove">) {
  const transaction = yield* Transaction
  yield* transaction.run(
    Effect.gen(function* () {
      const { uuid } = yield* lockOwner(resource)
      const detached = yield* (yield* TagStore).detach(uuid, resource.tag.uuid)
      if (!detached) return yield* new TagNotFound()
    })
  )
})

/** Creates a tag that no resource has yet; its name must be unique, ignoring case. */
export const create = Effect.fnUntraced(function* ({ resource }: Authorized<"tag.create">, name: string) {
  const at = yield* now
  const teamId = teamOf(resource.caller.access)
  return yield* (yield* TagStore).insert({ uuid: yield* makeUuid(TagUuid), teamId, name, createdAt: at, updatedAt: at })
})

/** Renames a tag, for all resources that have it. */
export const rename = Effect.fnUntraced(function* ({ resource }: Authorized<"tag.update">, name: string) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const store = yield* TagStore
      const present = yield* store.lock(resource.tag.uuid)
      if (present === undefined) return yield* new TagNotFound()
      const tag = { ...present, name, updatedAt: yield* now }
      yield* store.replace(tag)
      return tag
    })
  )
})

const all = listUseCase("tag", TagStore)
/** Lists a page of all tags that the caller may read. */
export const listAll = all.list
/** Streams all tags that the caller may read. */
export const streamAll = all.stream
/** Deletes a tag and removes it from all resources. */
export const removeAny = Effect.fnUntraced(function* ({ resource }: Authorized<"tag.delete">) {
  // Deleting a tag removes it from resources, so no reference prevents it.
  const removed = yield* Effect.orDie((yield* TagStore).remove(resource.tag.uuid))
  if (!removed) return yield* new TagNotFound()
})
