import { PlacementStore } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"

/** Returns the number of each thing that a uuid names, all read at once; null for what is none or isn't there. */
export const numbersOf = Effect.fnUntraced(function* (uuids: ReadonlyArray<string | null>) {
  const named = [...new Set(uuids.filter((uuid) => uuid !== null))]
  const numbers = named.length === 0 ? undefined : yield* (yield* PlacementStore).numbers(named)
  return (uuid: string | null): number | null => (uuid === null ? null : (numbers?.get(uuid) ?? null))
})
