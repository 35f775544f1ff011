import { InvalidInput, makeUuid, now, Transaction } from "@slipway/domain"
import {
  nameEnding,
  type Service,
  ServiceNotFound,
  ServicePartUuid,
  ServiceStore,
  ServiceUuid,
  serviceApplicationUuid,
  urlsFor
} from "@slipway/domain/deploy/apps"
import { type Authorized, authorize } from "@slipway/domain/deploy/entry"
import { DestinationStore, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import type { CloneInput } from "../applications/Clones.ts"
import { copyRows } from "../applications/rowCopies.ts"
import { reserve } from "../domains/Domains.ts"
import { addressesOf, claim, holderOf, setVariables, store } from "./serviceRows.ts"

/**
 * Clones a service to a destination (server network), in the same environment. Copies its compose text, the settings of
 * its parts, variables, tags and storages.
 *
 * Does not copy domains and volume contents; parts with generated domains get new ones. Deploys nothing.
 */
export const clone = Effect.fnUntraced(function* (
  { resource }: Authorized<"service.clone">,
  { destinationUuid, name = null }: CloneInput
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const source = yield* (yield* ServiceStore).lock(resource.service.uuid)
      if (source === undefined) return yield* new ServiceNotFound()
      const destination = yield* (yield* DestinationStore).lock(destinationUuid)
      const server = destination && (yield* (yield* ServerStore).find(destination.serverUuid))
      if (destination === undefined || server === undefined || server.teamId !== source.placement.teamId) {
        return yield* new InvalidInput({ problems: { destination_uuid: ["There is no such destination."] } })
      }
      yield* authorize(resource.caller, "resource.create", { placement: source.placement })
      const uuid = yield* makeUuid(ServiceUuid)
      const at = yield* now
      const parts = yield* Effect.forEach(source.parts, (part) =>
        Effect.map(makeUuid(ServicePartUuid), (partUuid) => ({ ...part, uuid: partUuid, isStopped: false }))
      )
      const { id: _, ...copied } = source
      const draft: Omit<Service, "id"> = {
        ...copied,
        uuid,
        name: name ?? nameEnding(source.name, uuid),
        placement: { ...source.placement, serverUuid: server.uuid, destinationUuid: destination.uuid },
        parts,
        urls: urlsFor(uuid, source.dockerComposeRaw, parts, [], server),
        createdAt: at,
        updatedAt: at
      }
      yield* reserve(holderOf(uuid), addressesOf(draft.urls), false, source.placement.teamId)
      const { service } = yield* store(draft)
      yield* claim(service)
      yield* copyRows(serviceApplicationUuid(source.uuid), serviceApplicationUuid(uuid), at)
      yield* setVariables(service)
      return service
    })
  )
})
