import type { Condition, FactsOrLoaded } from "@slipway/access"
import { compileChain, Level, Loaded, levels } from "@slipway/access"
import { rulebookOf } from "./decide.ts"
import type { RepositoryFacts } from "./facts/facts.ts"
import { type Unit, unitKeys } from "./facts/Unit.ts"
import { repositoryForbids, unitOff } from "./forbids.ts"
import { givesOnRepository } from "./grants.ts"
import { layouts, load } from "./load.ts"

const noSecondFactor = repositoryForbids["repository.second-factor"].when

/**
 * Returns the condition that the caller has at least `level` on a repository unit; if `unit` is omitted, on any unit.
 */
export const holds = (level: Level, unit?: Unit): Condition<RepositoryFacts> => ({
  op: "all",
  of: [
    { op: "any", of: givesOnRepository(level, unit).map((rule) => rule.when) },
    { op: "not", of: noSecondFactor },
    ...(unit === undefined ? [] : [{ op: "not" as const, of: unitOff(unit).when }])
  ]
})

type Facts = FactsOrLoaded<RepositoryFacts>

const ladder = (condition: (level: Level) => Condition<RepositoryFacts>) => {
  // Custom facts come after the built-in ones, so that these keep their positions under any rules.
  const falling = levels.slice(1).toReversed()
  const highest = compileChain(
    falling.map((level) => ({ op: "not" as const, of: condition(level) })),
    layouts.repository
  )
  return (loadedOrPlain: Facts): Level => {
    const { bits, facts } = loadedOrPlain instanceof Loaded ? loadedOrPlain : load("repository", loadedOrPlain)
    if (rulebookOf(facts).hides("repository", facts)) return Level.none
    return falling[highest(bits)] ?? Level.none
  }
}

const onUnit = Object.fromEntries(unitKeys.map((unit) => [unit, ladder((level) => holds(level, unit))])) as Readonly<
  Record<Unit, (facts: Facts) => Level>
>

/** Returns the caller's access level on a repository unit; none for a disabled unit. */
export const unitLevel = (facts: Facts, unit: Unit): Level => onUnit[unit](facts)

/**
 * Returns the caller's access level on the entire repository, which responses show as `permission`.
 *
 * Below admin, it is the highest level on any unit.
 */
export const repositoryLevel: (facts: Facts) => Level = ladder((level) => holds(level))
