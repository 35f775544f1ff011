import { Schema } from "effect"

/** What a token may do (decision "Bearer tokens"); `root` may do everything. */
export const abilities = ["read", "read:sensitive", "write", "deploy", "root"] as const
/** One thing that a token may do. */
export const Ability = Schema.Literals(abilities)
export type Ability = typeof Ability.Type

/** What is known of a caller when a rule is asked. */
export interface CallerFacts {
  readonly read: boolean
  readonly sensitive: boolean
  readonly write: boolean
  readonly deploy: boolean
  readonly root: boolean
}

/** Returns the facts of a caller whose token has `held`. */
export const factsOf = (held: ReadonlyArray<Ability>): CallerFacts => ({
  read: held.includes("read"),
  sensitive: held.includes("read:sensitive"),
  write: held.includes("write"),
  deploy: held.includes("deploy"),
  root: held.includes("root")
})
