import { type Layout, Loaded, layoutOf } from "@slipway/access"
import { rulebookOf } from "./decide.ts"
import { type FactsAbout, type Kind, vocabularies } from "./facts/facts.ts"

/** The layout of the facts about each resource type, by the built-in rules. */
export const layouts = Object.fromEntries(
  Object.entries(vocabularies).map(([kind, vocabulary]) => [kind, layoutOf(vocabulary)])
) as Readonly<Record<Kind, Layout>>

/**
 * Prepares facts about a resource type once, for any number of decisions.
 *
 * Throws when a fact is missing or has an unlisted value: that is a defect of the code that read the facts.
 */
export const load = <K extends Kind>(kind: K, facts: FactsAbout<K>): Loaded<FactsAbout<K>> =>
  new Loaded(rulebookOf(facts).layouts[kind] as Layout, facts)
