import { InvalidInput, joinProblems, noProblems, type Problems } from "@slipway/domain"
import type { EnvironmentUuid, Placement } from "@slipway/domain/deploy/apps"
import {
  EnvironmentStore,
  knownFacts,
  type PlacementFacts,
  type PlacementQuery,
  PlacementStore,
  resolve
} from "@slipway/domain/deploy/apps"
import { authorize, type Caller } from "@slipway/domain/deploy/entry"
import { DestinationStore, type DestinationUuid } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"

/** Fails if the caller may not move a resource from one placement to another. */
const authorizeMove = Effect.fnUntraced(function* (caller: Caller, from: Placement, to: Placement) {
  if (from.environmentUuid === to.environmentUuid) return
  yield* authorize(caller, "resource.move", { placement: from })
  yield* authorize(caller, "resource.move", { placement: to })
})

/**
 * Finds the placement that a request names and locks it. Fails with its own problems and the given `problems` together.
 *
 * A resource of another team is reported as missing. Fails if the caller may not create resources in the placement, or,
 * if `present` is given, may not move a resource from `present`.
 */
export const place = Effect.fnUntraced(function* (
  caller: Caller,
  query: PlacementQuery,
  problems: Problems,
  present?: Placement
) {
  const facts = knownFacts(caller.access, yield* (yield* PlacementStore).facts(query))
  const resolved = resolve(query, facts)
  const wrong = joinProblems(problems, resolved.problems)
  if (!noProblems(wrong)) return yield* new InvalidInput({ problems: wrong })
  // INVARIANT: without problems everything that a place needs was named and found.
  const placement = resolved.placement as Placement
  if (present === undefined) yield* authorize(caller, "resource.create", { placement })
  else yield* authorizeMove(caller, present, placement)
  return {
    placement,
    server: facts.server as NonNullable<PlacementFacts["server"]>
  }
})

/** Returns the placement in another environment, on the same server. Fails as `place` and `authorizeMove` do. */
export const placeIn = Effect.fnUntraced(function* (caller: Caller, from: Placement, environmentUuid: EnvironmentUuid) {
  const { destinationUuid, projectUuid, serverUuid } = from
  const environment = yield* (yield* EnvironmentStore).find(environmentUuid)
  const wanted = { environmentUuid, projectUuid: environment?.projectUuid ?? projectUuid, serverUuid, destinationUuid }
  return (yield* place(caller, wanted, {}, from)).placement
})

/** Returns the placement at another destination, on any server, in the same environment. Fails as `place` does. */
export const placeAt = Effect.fnUntraced(function* (caller: Caller, from: Placement, destinationUuid: DestinationUuid) {
  const { environmentUuid, projectUuid, serverUuid } = from
  const destination = yield* (yield* DestinationStore).find(destinationUuid)
  const wanted = { projectUuid, environmentUuid, serverUuid: destination?.serverUuid ?? serverUuid, destinationUuid }
  return (yield* place(caller, wanted, {}, from)).placement
})
