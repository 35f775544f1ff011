import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import {
  BadRequestBody,
  bodyErrors,
  ConflictBody,
  NotFoundBody,
  TooLargeBody,
  TooManyRequestsBody
} from "../base/errors.ts"
import { listOf, Message, pageQuery, stamps } from "../base/schemas.ts"
import { Token, TokenInput } from "./tokens.ts"

const instant = Schema.String.annotate({ format: "date-time" })

/** An account as returned by the API, without its password. */
export const Account = Schema.Struct({
  ...stamps,
  name: Schema.String,
  email: Schema.NullOr(Schema.String),
  is_root: Schema.Boolean,
  is_disabled: Schema.Boolean,
  last_sign_in_at: Schema.NullOr(instant)
}).annotate({ identifier: "Account" })

/** An identity of an account at an OpenID Connect provider. */
export const AccountIdentity = Schema.Struct({
  uuid: Schema.String,
  issuer: Schema.String,
  subject: Schema.String,
  created_at: instant
}).annotate({ identifier: "AccountIdentity" })

/** The caller's account, with its sign-in methods. */
export const OwnAccount = Schema.Struct({
  ...Account.fields,
  has_password: Schema.Boolean,
  session_uuid: Schema.NullOr(Schema.String).annotate({ description: "The session in use; null for a token." }),
  identities: Schema.Array(AccountIdentity)
}).annotate({ identifier: "OwnAccount" })

/** A session of an account. */
export const AccountSession = Schema.Struct({
  uuid: Schema.String,
  user_agent: Schema.String,
  address: Schema.String,
  is_current: Schema.Boolean,
  expires_at: instant,
  last_used_at: Schema.NullOr(instant),
  created_at: instant
}).annotate({ identifier: "AccountSession" })

const password = Schema.String
const uuid = { uuid: Schema.String }

/** The endpoints of accounts, and of the caller's own account. */
export class AccountsApi extends HttpApiGroup.make("accounts")
  .add(
    HttpApiEndpoint.get("list", "/accounts", { query: pageQuery, success: listOf(Account), error: BadRequestBody })
      .annotate(OpenApi.Summary, "List accounts")
      .pipe(access("account.list")),
    HttpApiEndpoint.post("create", "/accounts", {
      payload: Schema.Struct({
        name: Schema.String,
        email: Schema.optionalKey(Schema.NullOr(Schema.String)),
        is_root: Schema.optionalKey(Schema.Boolean),
        password: Schema.optionalKey(password)
      }),
      success: HttpApiSchema.WithHeaders(Account.pipe(HttpApiSchema.status(201)), { location: Schema.String }),
      error: [...bodyErrors, ConflictBody]
    })
      .annotate(
        OpenApi.Summary,
        "Create an account; without a password, it cannot sign in until an administrator sets one"
      )
      .pipe(access("account.create")),
    HttpApiEndpoint.get("me", "/account", { success: OwnAccount })
      .annotate(OpenApi.Summary, "Read the account of the session or token in use")
      .pipe(access("account.own")),
    HttpApiEndpoint.put("setPassword", "/account/password", {
      payload: Schema.Struct({ current_password: password, new_password: password }),
      success: Message,
      error: [BadRequestBody, TooLargeBody, ConflictBody, TooManyRequestsBody]
    })
      .annotate(OpenApi.Summary, "Change the password, which ends all other sessions")
      .pipe(access("account.password")),
    HttpApiEndpoint.get("sessions", "/account/sessions", { success: Schema.Array(AccountSession) })
      .annotate(OpenApi.Summary, "List the sessions of the account")
      .pipe(access("account.session.list")),
    HttpApiEndpoint.delete("endSessions", "/account/sessions", { success: Message })
      .annotate(OpenApi.Summary, "Sign out everywhere: end all sessions, including the current one")
      .pipe(access("account.session.end")),
    HttpApiEndpoint.delete("endSession", "/account/sessions/:session_uuid", {
      params: { session_uuid: Schema.String },
      success: Message,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "End a session")
      .pipe(access("account.session.end")),
    HttpApiEndpoint.delete("unlinkIdentity", "/account/identities/:identity_uuid", {
      params: { identity_uuid: Schema.String },
      success: Message,
      error: [NotFoundBody, ConflictBody]
    })
      .annotate(OpenApi.Summary, "Unlink an identity, unless it is the only way to sign in")
      .pipe(access("account.identity.unlink")),
    HttpApiEndpoint.get("tokens", "/account/tokens", { success: Schema.Array(Token) })
      .annotate(OpenApi.Summary, "List the tokens of the account")
      .pipe(access("account.token.list")),
    HttpApiEndpoint.post("createToken", "/account/tokens", {
      payload: TokenInput,
      success: HttpApiSchema.WithHeaders(
        Schema.Struct({ ...Token.fields, token: Schema.String }).pipe(HttpApiSchema.status(201)),
        { location: Schema.String }
      ),
      error: [...bodyErrors, ConflictBody]
    })
      .annotate(OpenApi.Summary, "Create a token of the account; its text is shown only once")
      .pipe(access("account.token.create")),
    HttpApiEndpoint.delete("revokeToken", "/account/tokens/:token_uuid", {
      params: { token_uuid: Schema.String },
      success: Message,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Revoke a token of the account")
      .pipe(access("account.token.revoke")),
    HttpApiEndpoint.get("get", "/accounts/:uuid", { params: uuid, success: Account, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read an account")
      .pipe(access("account.read")),
    HttpApiEndpoint.patch("update", "/accounts/:uuid", {
      params: uuid,
      payload: Schema.Struct({
        email: Schema.optionalKey(Schema.NullOr(Schema.String)),
        is_root: Schema.optionalKey(Schema.Boolean),
        is_disabled: Schema.optionalKey(Schema.Boolean),
        password: Schema.optionalKey(password)
      }),
      success: Account,
      error: [...bodyErrors, NotFoundBody, ConflictBody]
    })
      .annotate(OpenApi.Summary, "Update an account; a disabled one loses its sessions immediately")
      .pipe(access("account.update"))
  )
  .annotate(OpenApi.Description, "Accounts, their sessions, identities and tokens.") {}
