import { type Condition, compile, type Predicate } from "../../access/Condition.ts"
import { Level, levels } from "../../access/Level.ts"
import { rulebookOf } from "./decide.ts"
import type { RepositoryFacts } from "./facts.ts"
import { repositoryForbids, unitOff } from "./forbids.ts"
import { givesOnRepository } from "./grants.ts"
import type { Judged } from "./judged.ts"
import { type Unit, unitKeys } from "./Unit.ts"

const noSecondFactor = repositoryForbids["repository.second-factor"].when

/** Returns the condition under which a level is held on a repository's unit, or on the repository as a whole. */
export const holds = (level: Level, unit?: Unit): Condition<RepositoryFacts> => ({
  op: "all",
  of: [
    { op: "any", of: givesOnRepository(level, unit).map((rule) => rule.when) },
    { op: "not", of: noSecondFactor },
    ...(unit === undefined ? [] : [{ op: "not" as const, of: unitOff(unit).when }])
  ]
})

const ladder = <F extends Judged>(condition: (level: Level) => Condition<F>) => {
  const steps = levels.slice(1).map((level) => [level, compile(condition(level))] as [Level, Predicate<F>])
  return (facts: F): Level =>
    rulebookOf(facts).hides("repository", facts)
      ? Level.none
      : (steps.findLast(([, held]) => held(facts))?.[0] ?? Level.none)
}

const onUnit = Object.fromEntries(unitKeys.map((unit) => [unit, ladder((level) => holds(level, unit))])) as Readonly<
  Record<Unit, (facts: RepositoryFacts) => Level>
>

/** Returns the caller's level on a unit of a repository; a unit that is off is closed for everyone. */
export const unitLevel = (facts: RepositoryFacts, unit: Unit): Level => onUnit[unit](facts)

/**
 * Returns the caller's level on a repository as a whole: what `permission` means in answers.
 *
 * Below admin it is the best level on any unit.
 */
export const repositoryLevel: (facts: RepositoryFacts) => Level = ladder((level) => holds(level))
