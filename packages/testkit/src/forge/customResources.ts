import type { Facts } from "@slipway/access"
import { PolicySet, type Rulebook, siteVocabulary, vocabularies } from "@slipway/domain/forge/access"
import type { AnyPolicySet } from "@slipway/domain/forge/base"
import type { OwnFact, OwnFacts, World } from "./World.ts"

/** Returns the rules of a world. */
export const rulebookIn = ({ rules }: Pick<World, "rules">): Rulebook => (rules?.policy ?? PolicySet.builtIn).rulebook

/** Returns a world with custom rules at a time, with the facts of custom resources. */
export const judgedIn = (world: World, policy: AnyPolicySet, at: string, own: World["own"] = {}): World => ({
  ...world,
  own: { ...world.own, ...own },
  rules: { policy, at }
})

/** Returns the custom resource types in the rules. */
export const ownKindsOf = ({ tables }: Rulebook): ReadonlyArray<string> =>
  Object.keys(tables.kinds).filter((kind) => !Object.hasOwn(vocabularies, kind))

/** Returns the facts of a custom resource type, without those of every request. */
export const ownVocabularyOf = ({ tables }: Rulebook, kind: string): Facts.Vocabulary =>
  Object.fromEntries(Object.entries(tables.kinds[kind] ?? {}).filter(([fact]) => !Object.hasOwn(siteVocabulary, fact)))

/** Returns the names of the resources of a custom type. */
export const ownNamesIn = ({ own = {} }: World, kind: string): ReadonlyArray<string> =>
  Object.keys(own).flatMap((key) => (key.startsWith(`${kind} `) ? [key.slice(kind.length + 1)] : []))

/** Returns the default value of a fact. */
const unsaid = (fact: Facts.Fact): OwnFact => {
  if (fact.kind === "flag") return false
  return (fact.kind === "word" ? fact.words[0] : fact.levels[0]) ?? 0
}

/** Parses a fact from text: a flag is on, or on for one user only; other facts have a word as value. */
const ownFactOf = (fact: Facts.Fact, said: string | undefined): OwnFact | undefined => {
  if (fact.kind === "flag") return said === undefined ? true : { user: said }
  const at = fact.words.indexOf(said ?? "")
  return at < 0 ? undefined : fact.kind === "word" ? fact.words[at] : at
}

/** Returns a fact as text; undefined for a flag that is off. */
const wordOf = (fact: Facts.Fact, name: string, value: OwnFact): string | undefined => {
  if (value === false) return undefined
  if (value === true) return name
  if (typeof value === "object") return `${name}=${value.user}`
  return `${name}=${fact.kind === "level" ? fact.words[Number(value)] : value}`
}

/** Reads the facts of a custom resource; `wrong` makes the error for an unknown word. */
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

/** Returns the lines that declare the custom resources. */
export const ownLines = (world: World): ReadonlyArray<string> =>
  Object.entries(world.own ?? {}).map(([key, facts]) => {
    const vocabulary = ownVocabularyOf(rulebookIn(world), key.split(" ")[0] ?? "")
    const words = Object.entries(vocabulary).flatMap(([name, fact]) => wordOf(fact, name, facts[name] ?? false) ?? [])
    return [key, ...words].join(" ")
  })
