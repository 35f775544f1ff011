import { PlacementStore } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"

/** Returns the numeric id of each resource by its uuid, read in one query; null for a missing uuid or resource. */
export const numbersOf = Effect.fnUntraced(function* (uuids: ReadonlyArray<string | null>) {
  const named = [...new Set(uuids.filter((uuid) => uuid !== null))]
  const numbers = named.length === 0 ? undefined : yield* (yield* PlacementStore).numbers(named)
  return (uuid: string | null): number | null => (uuid === null ? null : (numbers?.get(uuid) ?? null))
})
