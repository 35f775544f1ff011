import { AccountStore, type Identity, otherIssuerForm } from "@slipway/domain/deploy/identity"
import { Effect } from "effect"

/**
 * Returns the account of an identity at a provider; undefined if there is none. Finds an issuer without a path with and
 * without its trailing slash.
 */
export const findOutsider = Effect.fnUntraced(function* ({ issuer, subject }: Pick<Identity, "issuer" | "subject">) {
  const accounts = yield* AccountStore
  const found = yield* accounts.findByIdentity({ issuer, subject })
  const other = otherIssuerForm(issuer)
  return found === undefined && other !== undefined ? yield* accounts.findByIdentity({ issuer: other, subject }) : found
})
