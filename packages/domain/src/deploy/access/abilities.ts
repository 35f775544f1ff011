import { type FactsOf, flag, type Vocabulary } from "@slipway/access"
import { Schema } from "effect"

/** The abilities of a token (decision "Bearer tokens"); `root` includes all of them. */
export const abilities = ["read", "read:sensitive", "write", "deploy", "root"] as const
/** One ability of a token. */
export const Ability = Schema.Literals(abilities)
export type Ability = typeof Ability.Type

/** The facts about a caller and the resource in a path that rules can test. */
export const accessVocabulary = {
  read: flag("the token has `read`", "the token lacks `read`"),
  sensitive: flag("the token has `read:sensitive`", "the token lacks `read:sensitive`"),
  write: flag("the token has `write`", "the token lacks `write`"),
  deploy: flag("the token has `deploy`", "the token lacks `deploy`"),
  root: flag("the token has `root`", "the token lacks `root`"),
  account: flag("the token or session belongs to an account", "the token belongs to no account"),
  session: flag("the caller is a session", "the caller is not a session"),
  there: flag("the resource in the path exists", "the resource in the path is missing")
} as const satisfies Vocabulary
/** The facts that decide an action. Facts within the resource's project are kept separately. */
export interface AccessFacts extends FactsOf<typeof accessVocabulary> {}

/** Whether a caller is an account, and whether it is a session. */
export interface Owned {
  readonly account: boolean
  readonly session: boolean
}

/** Returns the facts about a caller that has `held`, and whether the resource exists. */
export const factsOf = (
  held: ReadonlyArray<Ability>,
  there: boolean,
  { account, session }: Owned = { account: false, session: false }
): AccessFacts => ({
  read: held.includes("read"),
  sensitive: held.includes("read:sensitive"),
  write: held.includes("write"),
  deploy: held.includes("deploy"),
  root: held.includes("root"),
  account,
  session,
  there
})
