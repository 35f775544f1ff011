import { PlacementStore } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"

/**
 * Returns a function from the uuid of a resource to its numeric id, read in one query. The result is null for a null
 * uuid and for a missing resource.
 */
export const numbersOf = Effect.fnUntraced(function* (uuids: ReadonlyArray<string | null>) {
  const named = [...new Set(uuids.filter((uuid) => uuid !== null))]
  const numbers = named.length === 0 ? undefined : yield* (yield* PlacementStore).numbers(named)
  return (uuid: string | null): number | null => (uuid === null ? null : (numbers?.get(uuid) ?? null))
})
