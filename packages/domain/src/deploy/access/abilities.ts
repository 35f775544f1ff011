import { type FactsOf, flag, type Vocabulary } from "@slipway/access"
import { Schema } from "effect"
import { capabilityFacts } from "./capabilities.ts"

/** The abilities of a token (decision "Bearer tokens"); `root` includes all of them. */
export const abilities = ["read", "read:sensitive", "write", "deploy", "root"] as const
/** One ability of a token. */
export const Ability = Schema.Literals(abilities)
export type Ability = typeof Ability.Type

/** The facts that access rules can test: properties of the caller, and of the resource in the request path. */
export const accessVocabulary = {
  read: flag("the token has `read`", "the token lacks `read`"),
  sensitive: flag("the token has `read:sensitive`", "the token lacks `read:sensitive`"),
  write: flag("the token has `write`", "the token lacks `write`"),
  deploy: flag("the token has `deploy`", "the token lacks `deploy`"),
  root: flag("the token has `root`", "the token lacks `root`"),
  account: flag("the token or session belongs to an account", "the token belongs to no account"),
  session: flag("the caller is a session", "the caller is not a session"),
  there: flag("the resource in the path exists", "the resource in the path is missing"),
  known: flag("the caller is a member of the team of the resource", "the resource belongs to another team"),
  withinToken: flag(
    "the token is not limited to other projects",
    "the token is limited to projects that do not contain the resource"
  ),
  ...capabilityFacts.facts,
  operatesHere: flag(
    "a role on the environment or the resource itself may deploy",
    "no role on the environment or the resource itself may deploy"
  ),
  editsInTeam: flag(
    "a role of the caller may edit a resource of the team",
    "no role of the caller may edit a resource of the team"
  ),
  isProtected: flag("the environment is protected", "the environment is not protected"),
  instance: flag("the caller owns the root team", "the caller does not own the root team")
} as const satisfies Vocabulary
/** The facts from which access rules decide whether an action is allowed. */
export interface AccessFacts extends FactsOf<typeof accessVocabulary> {}

/** Whether a caller has an account, and whether it authenticated with a browser session. */
export interface Owned {
  readonly account: boolean
  readonly session: boolean
}

/** The facts about a caller: its abilities, whether it has an account, and whether it uses a browser session. */
export type AbilityFacts = Owned & Pick<AccessFacts, "read" | "sensitive" | "write" | "deploy" | "root">

/** Returns the facts about a caller that has the abilities `held`. */
export const abilityFactsOf = (
  held: ReadonlyArray<Ability>,
  { account, session }: Owned = { account: false, session: false }
): AbilityFacts => ({
  read: held.includes("read"),
  sensitive: held.includes("read:sensitive"),
  write: held.includes("write"),
  deploy: held.includes("deploy"),
  root: held.includes("root"),
  account,
  session
})
