import { Schema } from "effect"
import { type FactsOf, flag, type Vocabulary } from "../../access/Facts.ts"

/** What a token may do (decision "Bearer tokens"); `root` may do everything. */
export const abilities = ["read", "read:sensitive", "write", "deploy", "root"] as const
/** One thing that a token may do. */
export const Ability = Schema.Literals(abilities)
export type Ability = typeof Ability.Type

/** What is known of a caller when a rule is asked. */
export const callerVocabulary = {
  read: flag("the token has `read`", "the token lacks `read`"),
  sensitive: flag("the token has `read:sensitive`", "the token lacks `read:sensitive`"),
  write: flag("the token has `write`", "the token lacks `write`"),
  deploy: flag("the token has `deploy`", "the token lacks `deploy`"),
  root: flag("the token has `root`", "the token lacks `root`")
} as const satisfies Vocabulary
/** The facts of a caller. */
export interface CallerFacts extends FactsOf<typeof callerVocabulary> {}

/** Returns the facts of a caller whose token has `held`. */
export const factsOf = (held: ReadonlyArray<Ability>): CallerFacts => ({
  read: held.includes("read"),
  sensitive: held.includes("read:sensitive"),
  write: held.includes("write"),
  deploy: held.includes("deploy"),
  root: held.includes("root")
})
