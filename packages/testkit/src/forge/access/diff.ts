import type { World } from "../World.ts"
import { askerName, askersOf, decisionsOn, resourceKindsIn, resourcesIn } from "./resources.ts"

/** A permission on a resource that a user gains or loses between two worlds. */
export interface AccessChange {
  readonly who: string
  readonly thing: string
  readonly gains: ReadonlyArray<string>
  readonly loses: ReadonlyArray<string>
}

const unique = <A>(values: ReadonlyArray<A>, key: (value: A) => string): ReadonlyArray<A> => [
  ...new Map(values.map((value) => [key(value), value])).values()
]

/**
 * Returns the permissions that users gain and lose between two worlds. A resource that exists in only one world counts
 * too.
 */
export const diffWorlds = (before: World, after: World): ReadonlyArray<AccessChange> => {
  const askers = unique([...askersOf(before), ...askersOf(after)], askerName)
  const kinds = unique([...resourceKindsIn(before), ...resourceKindsIn(after)], (kind) => kind)
  return kinds.flatMap((kind) => {
    const things = unique([...resourcesIn(before, kind), ...resourcesIn(after, kind)], (each) => each.join(" "))
    return things.flatMap((each) =>
      askers.flatMap((asker): ReadonlyArray<AccessChange> => {
        const allowedIn = (world: World) =>
          [...decisionsOn(world, asker, kind, each)].flatMap(([action, { allowed }]) => (allowed ? [action] : []))
        const [had, has] = [new Set(allowedIn(before)), new Set(allowedIn(after))]
        const gains = [...has].filter((action) => !had.has(action))
        const loses = [...had].filter((action) => !has.has(action))
        if (gains.length + loses.length === 0) return []
        return [{ who: askerName(asker), thing: [kind, ...each].join(" "), gains, loses }]
      })
    )
  })
}

/** Returns access changes as lines of text: one line per user, resource, and gain or loss. */
export const diffLines = (changes: ReadonlyArray<AccessChange>): ReadonlyArray<string> =>
  changes.length === 0
    ? ["no access changes"]
    : changes.flatMap(({ gains, loses, thing, who }) => [
        ...(gains.length === 0 ? [] : [`+ ${who} gains on ${thing}: ${gains.join(", ")}`]),
        ...(loses.length === 0 ? [] : [`- ${who} loses on ${thing}: ${loses.join(", ")}`])
      ])
