import type { Caller } from "@slipway/domain/deploy/entry"
import type { Account } from "@slipway/domain/deploy/identity"

/**
 * Returns the caller's account, for actions that the access rules only allow to callers with an account. Throws if
 * there is none.
 */
export const accountOf = ({ caller: { account } }: { readonly caller: Caller }): Account => {
  if (account === undefined) throw new Error("the rules admitted a caller without an account")
  return account
}
