import type { Facts } from "@slipway/access"
import { PolicySet, type Rulebook, siteVocabulary, vocabularies } from "@slipway/domain/forge/access"
import type { AnyPolicySet } from "@slipway/domain/forge/base"
import type { OwnFact, OwnFacts, World } from "./World.ts"

/** Returns the access rules of a world: its custom rules, or the built-in rules. */
export const rulebookIn = ({ rules }: Pick<World, "rules">): Rulebook => (rules?.policy ?? PolicySet.builtIn).rulebook

/** Returns a world with custom access rules and custom resources. `at` is the time at which the rules are evaluated. */
export const judgedIn = (world: World, policy: AnyPolicySet, at: string, own: World["own"] = {}): World => ({
  ...world,
  own: { ...world.own, ...own },
  rules: { policy, at }
})

/** Returns the names of the custom resource types that the rules define. */
export const ownKindsOf = ({ tables }: Rulebook): ReadonlyArray<string> =>
  Object.keys(tables.kinds).filter((kind) => !Object.hasOwn(vocabularies, kind))

/** Returns the fields of a custom resource type that rules can test, without the fields that every request has. */
export const ownVocabularyOf = ({ tables }: Rulebook, kind: string): Facts.Vocabulary =>
  Object.fromEntries(Object.entries(tables.kinds[kind] ?? {}).filter(([fact]) => !Object.hasOwn(siteVocabulary, fact)))

/** Returns the names of the resources of a custom type in a world. */
export const ownNamesIn = ({ own = {} }: World, kind: string): ReadonlyArray<string> =>
  Object.keys(own).flatMap((key) => (key.startsWith(`${kind} `) ? [key.slice(kind.length + 1)] : []))

/** Returns the default value of a field: off for a flag, otherwise the first word. */
const unsaid = (fact: Facts.Fact): OwnFact => {
  if (fact.kind === "flag") return false
  return (fact.kind === "word" ? fact.words[0] : fact.levels[0]) ?? 0
}

/**
 * Parses the value of a field from text. A flag without a text is on; with a user name, it is on only for that user.
 * Other fields have a word as value.
 */
const ownFactOf = (fact: Facts.Fact, said: string | undefined): OwnFact | undefined => {
  if (fact.kind === "flag") return said === undefined ? true : { user: said }
  const at = fact.words.indexOf(said ?? "")
  return at < 0 ? undefined : fact.kind === "word" ? fact.words[at] : at
}

/** Returns a field and its value as text; undefined for a flag that is off. */
const wordOf = (fact: Facts.Fact, name: string, value: OwnFact): string | undefined => {
  if (value === false) return undefined
  if (value === true) return name
  if (typeof value === "object") return `${name}=${value.user}`
  return `${name}=${fact.kind === "level" ? fact.words[Number(value)] : value}`
}

/** Reads the field values of a custom resource. `wrong` makes the error for an unknown word. */
export const ownFactsOf = (
  rulebook: Rulebook,
  kind: string,
  words: ReadonlyArray<string>,
  wrong: (word: string) => Error
): OwnFacts => {
  const vocabulary = ownVocabularyOf(rulebook, kind)
  const facts: Record<string, OwnFact> = {}
  for (const [name, fact] of Object.entries(vocabulary)) facts[name] = unsaid(fact)
  for (const word of words) {
    const [name = "", said] = word.split("=")
    const fact = Object.hasOwn(vocabulary, name) ? vocabulary[name] : undefined
    const value = fact === undefined ? undefined : ownFactOf(fact, said)
    if (value === undefined) throw wrong(word)
    facts[name] = value
  }
  return facts
}

/** Returns the lines of a scenario that declare the custom resources of a world. */
export const ownLines = (world: World): ReadonlyArray<string> =>
  Object.entries(world.own ?? {}).map(([key, facts]) => {
    const vocabulary = ownVocabularyOf(rulebookIn(world), key.split(" ")[0] ?? "")
    const words = Object.entries(vocabulary).flatMap(([name, fact]) => wordOf(fact, name, facts[name] ?? false) ?? [])
    return [key, ...words].join(" ")
  })
