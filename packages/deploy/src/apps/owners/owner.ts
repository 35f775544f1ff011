import { type Application, ApplicationNotFound, ApplicationStore } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { type Database, DatabaseNotFound, DatabaseStore, ownerOf } from "@slipway/domain/deploy/databases"
import { Effect } from "effect"
import { requireOriginal } from "../additional-destinations/copies.ts"

/** A resource with variables, storages and tags: an application (which may run a service) or a database. */
export type OwnerResource =
  | { readonly application: Pick<Application, "uuid"> }
  | { readonly database: Pick<Database, "uuid"> }

/** Returns the uuid under which the variables, storages and tags of a resource are stored. */
export const ownerIn = (resource: OwnerResource): ApplicationUuid =>
  "application" in resource ? resource.application.uuid : ownerOf(resource.database.uuid)

/** Returns the type of a resource with an article, to begin a sentence: `An application` or `A database`. */
export const capitalized = (resource: OwnerResource): string =>
  "application" in resource ? "An application" : "A database"

/** Locks a resource, so that concurrent changes of its variables, storages and tags run one after another. */
export const lockOwner = Effect.fnUntraced(function* (resource: OwnerResource) {
  if ("application" in resource) {
    const application = yield* (yield* ApplicationStore).lock(resource.application.uuid)
    if (application === undefined) return yield* new ApplicationNotFound()
    yield* requireOriginal(application.uuid)
    return { application, uuid: application.uuid, placement: application.placement } as const
  }
  const database = yield* (yield* DatabaseStore).lock(resource.database.uuid)
  if (database === undefined) return yield* new DatabaseNotFound()
  return { database, uuid: ownerOf(database.uuid), placement: database.placement } as const
})
