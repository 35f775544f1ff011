import type { Caller } from "@slipway/domain/deploy/entry"
import type { Account } from "@slipway/domain/deploy/identity"

/** Returns the caller's account. Throws without one: the access rules must have rejected such a caller. */
export const accountOf = ({ caller: { account } }: { readonly caller: Caller }): Account => {
  if (account === undefined) throw new Error("the rules admitted a caller without an account")
  return account
}
