import { Ability } from "@slipway/domain/deploy/access"
import { DateTime, Option, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { BadRequestBody, bodyErrors, ConflictBody, NotFoundBody } from "../base/errors.ts"
import { listOf, Message, Name, pageQuery, stamps } from "../base/schemas.ts"

const Instant = Schema.String.check(
  Schema.makeFilter((value: string) =>
    Option.isSome(DateTime.make(value)) ? undefined : "Must be a date and time, such as 2030-01-31T12:00:00Z."
  )
)

/** A token as returned by the API, without its secret. */
export const Token = Schema.Struct({
  ...stamps,
  name: Schema.String,
  abilities: Schema.Array(Ability),
  team_id: Schema.Number,
  account_uuid: Schema.NullOr(Schema.String),
  projects: Schema.NullOr(Schema.Array(Schema.String)),
  expires_at: Schema.NullOr(Schema.String),
  last_used_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Token" })

/** The fields of a new token. */
export const TokenInput = Schema.Struct({
  name: Name,
  abilities: Schema.Array(Ability).check(
    Schema.isMinLength(1, { message: "Must have at least one entry." }),
    Schema.isMaxLength(50, { message: "Must have at most 50 entries." })
  ),
  expires_at: Schema.optionalKey(Schema.NullOr(Instant))
})

const uuid = { uuid: Schema.String }

/** The endpoints of bearer tokens. */
export class TokensApi extends HttpApiGroup.make("tokens")
  .add(
    HttpApiEndpoint.get("introspect", "/token", { success: Token })
      .annotate(OpenApi.Summary, "Read the token in use")
      .pipe(access("token.introspect")),
    HttpApiEndpoint.get("list", "/tokens", { query: pageQuery, success: listOf(Token), error: BadRequestBody })
      .annotate(OpenApi.Summary, "List tokens")
      .pipe(access("token.list")),
    HttpApiEndpoint.post("create", "/tokens", {
      payload: Schema.Struct({
        ...TokenInput.fields,
        projects: Schema.optionalKey(
          Schema.NullOr(
            Schema.Array(Schema.String).check(Schema.isMaxLength(100, { message: "Must have at most 100 entries." }))
          )
        )
      }),
      success: HttpApiSchema.WithHeaders(
        Schema.Struct({ ...Token.fields, token: Schema.String }).pipe(HttpApiSchema.status(201)),
        { location: Schema.String }
      ),
      error: [...bodyErrors, ConflictBody]
    })
      .annotate(OpenApi.Summary, "Create a token; its text is shown only once")
      .pipe(access("token.create")),
    HttpApiEndpoint.get("get", "/tokens/:uuid", { params: uuid, success: Token, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read a token, without its text")
      .pipe(access("token.read")),
    HttpApiEndpoint.delete("revoke", "/tokens/:uuid", {
      params: uuid,
      success: Message,
      error: [NotFoundBody, ConflictBody]
    })
      .annotate(OpenApi.Summary, "Revoke a token, unless it is the last one with root")
      .pipe(access("token.revoke"))
  )
  .annotate(OpenApi.Description, "Bearer tokens and their abilities.") {}
