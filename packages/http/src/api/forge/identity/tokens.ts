import { Schema } from "effect"
import { create, done, endpoints, list, read, remove } from "../base/endpoints.ts"
import { AccessToken, Instant, optionalNullable, ScopeWord } from "../base/schemas.ts"

/** The name of a token: one line of text, chosen by the user. */
const Label = Schema.String.check(
  Schema.makeFilter((value: string) => {
    if (value.trim() === "") return "must not be empty"
    if (value.length > 255) return "must have at most 255 characters"
    return /\p{Cc}/u.test(value) || !value.isWellFormed() ? "must be one line of text" : undefined
  })
)

/** The request body that creates a token. */
export const CreateAccessTokenOption = Schema.Struct({
  name: Label,
  scopes: optionalNullable(Schema.Array(ScopeWord)),
  expires_at: optionalNullable(Instant),
  /**
   * Whether to create a one-time token. It has no scope itself; within 10 minutes it can be exchanged once for a token
   * with these scopes and this expiry.
   */
  one_time: optionalNullable(Schema.Boolean)
}).annotate({ identifier: "CreateAccessTokenOption" })

/** The endpoints of access tokens. */
export const tokenEndpoints = endpoints("tokens", "Access tokens: credentials of clients, with scopes.", {
  "token.read": read(AccessToken),
  "token.delete": remove(),
  "token.exchange": create(AccessToken),
  "token.rotate": create(AccessToken),
  "token.confirm": done(),
  "user.token.list": list(AccessToken),
  "user.token.create": create(AccessToken, { body: CreateAccessTokenOption }),
  "user.token.delete": remove()
})
