import { InvalidInput, makeUuid, now, Transaction, Vault } from "@slipway/domain"
import { nameEnding } from "@slipway/domain/deploy/apps"
import { type Database, DatabaseNotFound, DatabaseStore, DatabaseUuid, ownerOf } from "@slipway/domain/deploy/databases"
import { type Authorized, authorize } from "@slipway/domain/deploy/entry"
import { DestinationStore, type DestinationUuid, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import type { CloneInput } from "../apps/applications/Clones.ts"
import { copyRows } from "../apps/applications/rowCopies.ts"
import { queueDeletion } from "../apps/deletions/queueDeletion.ts"
import { placeAt } from "../apps/placement/place.ts"
import { leaving } from "../apps/removal/leaving.ts"
import { requirePort } from "./ports.ts"

const refuse = (field: string, sentence: string) => new InvalidInput({ problems: { [field]: [sentence] } })

const lock = Effect.fnUntraced(function* (uuid: DatabaseUuid) {
  const present = yield* (yield* DatabaseStore).lock(uuid)
  return present ?? (yield* new DatabaseNotFound())
})

const isIdle = ({ servingUuid, state }: Database): boolean =>
  servingUuid === null && state !== "queued" && state !== "working"

/**
 * Moves a database to a destination (network) on its server or another server. The move takes effect with the next
 * start.
 *
 * The volumes stay on the old server, so a database must be stopped before a move to another server.
 */
export const migrate = Effect.fnUntraced(function* (
  { resource }: Authorized<"database.update">,
  destinationUuid: DestinationUuid
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const present = yield* lock(resource.database.uuid)
      const placement = yield* placeAt(resource.caller, present.placement, destinationUuid)
      const isElsewhere = placement.serverUuid !== present.placement.serverUuid
      if (isElsewhere && !isIdle(present)) {
        return yield* refuse("destination_uuid", "Is on another server: stop the database before the move.")
      }
      const database: Database = { ...present, placement, updatedAt: yield* now }
      if (isElsewhere) {
        yield* requirePort(database)
        const { destinationUuid: before, serverUuid } = present.placement
        yield* queueDeletion(
          {
            applicationUuid: ownerOf(present.uuid),
            applicationName: present.name,
            serverUuid,
            destinationUuid: before,
            forgeLink: null,
            leaseUntil: present.leaseUntil
          },
          leaving
        )
      }
      yield* Effect.orDie((yield* DatabaseStore).replace(database))
      return database
    })
  )
})

/** Encrypts the secrets of a database for its clone. */
const cloneSecrets = Effect.fnUntraced(function* (source: Database, uuid: DatabaseUuid) {
  const vault = yield* Vault
  const secrets = yield* Effect.forEach(Object.entries(source.secrets), ([field, sealed]) =>
    Effect.gen(function* () {
      const opened = yield* vault.open({ uuid: source.uuid, field }, sealed)
      return [field, yield* vault.seal({ uuid, field }, opened)] as const
    })
  )
  return Object.fromEntries(secrets) as Database["secrets"]
})

/**
 * Clones a database to a destination (server network), in the same environment. Copies settings, secrets, variables,
 * tags and storages.
 *
 * Does not copy the data, the backup schedules and the public port. Does not start the clone.
 */
export const clone = Effect.fnUntraced(function* (
  { resource }: Authorized<"database.clone">,
  { destinationUuid, name = null }: CloneInput
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const source = yield* lock(resource.database.uuid)
      const destination = yield* (yield* DestinationStore).lock(destinationUuid)
      const server = destination && (yield* (yield* ServerStore).find(destination.serverUuid))
      if (destination === undefined || server === undefined || server.teamId !== source.placement.teamId) {
        return yield* refuse("destination_uuid", "There is no such destination.")
      }
      yield* authorize(resource.caller, "resource.create", { placement: source.placement })
      const uuid = yield* makeUuid(DatabaseUuid)
      const at = yield* now
      const { id: _, ...copied } = source
      const database = yield* Effect.orDie(
        (yield* DatabaseStore).insert({
          ...copied,
          uuid,
          name: name ?? nameEnding(source.name, uuid),
          placement: { ...source.placement, serverUuid: server.uuid, destinationUuid: destination.uuid },
          secrets: yield* cloneSecrets(source, uuid),
          isPublic: false,
          publicPort: null,
          declaredBy: null,
          action: null,
          state: "idle",
          reason: null,
          runUuid: null,
          servingUuid: null,
          certificateExpiresAt: null,
          unhealthy: null,
          claimedBy: null,
          leaseUntil: null,
          createdAt: at,
          updatedAt: at
        })
      )
      yield* copyRows(ownerOf(source.uuid), ownerOf(uuid), at)
      return database
    })
  )
})
