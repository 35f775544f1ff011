import { InvalidInput, makeUuid, now, Transaction } from "@slipway/domain"
import {
  AdditionalDestinationStore,
  type Application,
  ApplicationNotFound,
  ApplicationStore,
  type DeletionFlags,
  mostAdditionalDestinations,
  severalDestinationsProblems,
  TooManyDestinations
} from "@slipway/domain/deploy/apps"
import { ApplicationUuid } from "@slipway/domain/deploy/base"
import type { Authorized } from "@slipway/domain/deploy/entry"
import type { DestinationUuid } from "@slipway/domain/deploy/infrastructure"
import { type Destination, DestinationNotFound, DestinationStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { place } from "../placement/place.ts"
import { removeOne } from "../removal/applicationRemoval.ts"
import { copiedFacts, copiesOf, requireOriginal, requireOtherMachine, serverNamesOf } from "./copies.ts"

const refused = (sentence: string) => new InvalidInput({ problems: { destination_uuid: [sentence] } })

/** A destination of an application, with the application that runs there. */
export interface ApplicationDestination {
  readonly destination: Destination
  /** The application itself at its own destination, or its copy at an additional one. */
  readonly application: Application
  readonly isAdditional: boolean
}

/** Lists the destinations of an application: its own one first, then the additional ones, oldest first. */
export const list = Effect.fnUntraced(function* ({ resource }: Authorized<"application.read">) {
  const { application } = resource
  const applications = [application, ...(yield* copiesOf(application.uuid))]
  const uuids = applications.map(({ placement }) => placement.destinationUuid)
  const found = new Map((yield* (yield* DestinationStore).findMany(uuids)).map((each) => [each.uuid, each]))
  return applications.flatMap((each): ReadonlyArray<ApplicationDestination> => {
    const destination = found.get(each.placement.destinationUuid)
    return destination === undefined
      ? []
      : [{ destination, application: each, isAdditional: each.uuid !== application.uuid }]
  })
})

/**
 * Adds a destination on another server to an application. Each later deployment of the application also runs its
 * release there.
 *
 * Fails as a move to the destination does. Also fails for an application of several services, for a built image without
 * a registry, and for a second destination on one server or machine.
 */
export const add = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.update">,
  destinationUuid: DestinationUuid
) {
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const applications = yield* ApplicationStore
      const source = yield* applications.lock(resource.application.uuid)
      if (source === undefined) return yield* new ApplicationNotFound()
      yield* requireOriginal(source.uuid)
      const { environmentUuid, projectUuid, serverUuid } = source.placement
      const found = yield* (yield* DestinationStore).find(destinationUuid)
      const wanted = { projectUuid, environmentUuid, serverUuid: found?.serverUuid ?? serverUuid, destinationUuid }
      const problems = severalDestinationsProblems(source)
      const { placement } = yield* place(resource.caller, wanted, problems, source.placement)
      const copies = yield* copiesOf(source.uuid)
      if ([source, ...copies].some((each) => each.placement.serverUuid === placement.serverUuid)) {
        return yield* refused("The application already has a destination on this server.")
      }
      yield* requireOtherMachine(placement.serverUuid, [source, ...copies])
      if (copies.length >= mostAdditionalDestinations) return yield* new TooManyDestinations()
      const uuid = yield* makeUuid(ApplicationUuid)
      const at = yield* now
      const nameOf = yield* serverNamesOf([{ placement }])
      const facts = yield* copiedFacts(source, { uuid, placement, secrets: {} }, nameOf)
      const copy = yield* Effect.orDie(applications.insert({ ...facts, uuid, createdAt: at, updatedAt: at }))
      const stored = { applicationUuid: source.uuid, copyUuid: uuid, createdAt: at }
      yield* (yield* AdditionalDestinationStore).insert(stored)
      return copy
    })
  )
})

/**
 * Removes an additional destination from an application, and queues the removal of its resources on the server. Returns
 * the deletion job.
 */
export const remove = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.update">,
  destinationUuid: DestinationUuid,
  flags: DeletionFlags
) {
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const applications = yield* ApplicationStore
      const source = yield* applications.lock(resource.application.uuid)
      if (source === undefined) return yield* new ApplicationNotFound()
      if (source.placement.destinationUuid === destinationUuid) {
        return yield* refused("This is the destination of the application itself: move the application instead.")
      }
      const copies = yield* copiesOf(source.uuid)
      const found = copies.find(({ placement }) => placement.destinationUuid === destinationUuid)
      const copy = found && (yield* applications.lock(found.uuid))
      if (copy === undefined) return yield* new DestinationNotFound()
      return yield* removeOne(copy, flags)
    })
  )
})
