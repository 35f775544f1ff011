import { type Layout, Loaded, layoutOf } from "@slipway/access"
import { rulebookOf } from "./decide.ts"
import { type FactsAbout, type Kind, vocabularies } from "./facts/facts.ts"

/** The memory layout of the built-in facts (inputs of access rules), by resource type, for fast repeated decisions. */
export const layouts = Object.fromEntries(
  Object.entries(vocabularies).map(([kind, vocabulary]) => [kind, layoutOf(vocabulary)])
) as Readonly<Record<Kind, Layout>>

/**
 * Prepares the facts (inputs of access rules) about a resource once, for many fast decisions.
 *
 * Throws if a fact is missing or has an invalid value, which is a defect of the calling code.
 */
export const load = <K extends Kind>(kind: K, facts: FactsAbout<K>): Loaded<FactsAbout<K>> =>
  new Loaded(rulebookOf(facts).layouts[kind] as Layout, facts)
