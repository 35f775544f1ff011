import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "./access.ts"
import { NotFoundBody } from "./errors.ts"
import { AccessToken, Instant, optionalNullable, pageQuery, ScopeWord, userParams } from "./schemas.ts"

/** A name of one line that a person gives to something. */
const Label = Schema.String.check(
  Schema.makeFilter((value: string) => {
    if (value.trim() === "") return "must not be empty"
    if (value.length > 255) return "must have at most 255 characters"
    return /\p{Cc}/u.test(value) || !value.isWellFormed() ? "must be one line of text" : undefined
  })
)

/** The body that makes a token. */
export const CreateAccessTokenOption = Schema.Struct({
  name: Label,
  scopes: optionalNullable(Schema.Array(ScopeWord)),
  expires_at: optionalNullable(Instant)
}).annotate({ identifier: "CreateAccessTokenOption" })

const token = { ...userParams, id: Schema.String.annotate({ description: "The number or the name of the token." }) }

/** The endpoints of access tokens. */
export class TokensApi extends HttpApiGroup.make("tokens")
  .add(
    HttpApiEndpoint.get("current", "/token", { success: AccessToken, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read the token in use")
      .pipe(access("token.read")),
    HttpApiEndpoint.delete("revoke", "/token", { success: HttpApiSchema.NoContent, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Delete the token in use")
      .pipe(access("token.delete")),
    HttpApiEndpoint.get("list", "/users/:username/tokens", {
      params: userParams,
      query: pageQuery,
      success: Schema.Array(AccessToken)
    })
      .annotate(OpenApi.Summary, "List the tokens of a user")
      .pipe(access("user.token.list")),
    HttpApiEndpoint.post("create", "/users/:username/tokens", {
      params: userParams,
      payload: CreateAccessTokenOption,
      success: AccessToken.pipe(HttpApiSchema.status(201))
    })
      .annotate(OpenApi.Summary, "Make a token; its text is shown this once")
      .pipe(access("user.token.create")),
    HttpApiEndpoint.delete("delete", "/users/:username/tokens/:id", {
      params: token,
      success: HttpApiSchema.NoContent,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Delete a token")
      .pipe(access("user.token.delete"))
  )
  .annotate(OpenApi.Description, "Access tokens: what a program signs in with, and what it may do.") {}
