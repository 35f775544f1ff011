import { InvalidInput, joinProblems, noProblems, type Problems } from "@slipway/domain"
import type { EnvironmentUuid, Placement } from "@slipway/domain/deploy/apps"
import {
  EnvironmentStore,
  type PlacementFacts,
  type PlacementQuery,
  PlacementStore,
  resolve
} from "@slipway/domain/deploy/apps"
import { Effect } from "effect"

/** Finds the placement that a request names and locks it; fails with its problems and `problems` together. */
export const place = Effect.fnUntraced(function* (query: PlacementQuery, problems: Problems) {
  const facts = yield* (yield* PlacementStore).facts(query)
  const resolved = resolve(query, facts)
  const wrong = joinProblems(problems, resolved.problems)
  if (!noProblems(wrong)) return yield* new InvalidInput({ problems: wrong })
  // INVARIANT: without problems everything that a place needs was named and found.
  return {
    placement: resolved.placement as Placement,
    server: facts.server as NonNullable<PlacementFacts["server"]>
  }
})

/** Returns a placement on the same server in another environment, of its project or another; fails as `place` does. */
export const placeIn = Effect.fnUntraced(function* (
  { destinationUuid, projectUuid, serverUuid }: Placement,
  environmentUuid: EnvironmentUuid
) {
  const environment = yield* (yield* EnvironmentStore).find(environmentUuid)
  const wanted = { environmentUuid, projectUuid: environment?.projectUuid ?? projectUuid, serverUuid, destinationUuid }
  return (yield* place(wanted, {})).placement
})
