import type { Ability } from "../../access/abilities.ts"
import type { Account } from "./Account.ts"

/** Returns the abilities of an account; one that does not administer the instance has none. */
export const accountAbilities = ({ isDisabled, isRoot }: Account): ReadonlyArray<Ability> =>
  isRoot && !isDisabled ? ["root"] : []

/**
 * Returns the abilities of a token of an account: those that both have, where `root` includes all others.
 *
 * @example
 * commonAbilities(["read", "deploy"], ["root"]) // => ["read", "deploy"]
 * commonAbilities(["root"], ["read"]) // => ["read"]
 * commonAbilities(["write"], []) // => []
 */
export const commonAbilities = (
  token: ReadonlyArray<Ability>,
  account: ReadonlyArray<Ability>
): ReadonlyArray<Ability> => {
  if (account.includes("root")) return token
  return token.includes("root") ? account : token.filter((each) => account.includes(each))
}
