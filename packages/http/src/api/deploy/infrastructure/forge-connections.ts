import { exactAddressOf } from "@slipway/domain"
import { line, nonEmpty, whole } from "@slipway/domain/deploy/apps"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { BadGatewayBody, BadRequestBody, bodyErrors, ConflictBody, NotFoundBody } from "../base/errors.ts"
import { createdAnswer, listOf, Message, Name, pageQuery, stamps } from "../base/schemas.ts"

/** The origin of a forge (scheme, host and port) without a path, such as `https://git.example`. */
const Origin = line(2_048).check(
  Schema.makeFilter((value: string) =>
    exactAddressOf(value) !== undefined && new URL(value).origin === value
      ? undefined
      : "Must be an http(s) address without a path, in lower case, such as http://127.0.0.1:3000."
  )
)
const Token = nonEmpty(line(10_000)).check(
  Schema.makeFilter((value: string) =>
    /^[\x21-\x7e]+$/.test(value) ? undefined : "Must be printable ASCII without spaces."
  )
)

const SshPort = Schema.NullOr(whole(1, 65_535))

/** A forge connection as returned by the API, without its token. */
export const ForgeConnection = Schema.Struct({
  ...stamps,
  name: Schema.String,
  url: Schema.String,
  platform_url: Schema.String,
  /** The port of the forge's SSH server, for deploy keys; null if repositories are read by HTTP with the token. */
  ssh_port: Schema.NullOr(Schema.Number),
  /** The name of the forge account that the token belongs to. */
  account: Schema.String,
  /** The OAuth2 client id for sign-in through the forge; null if this sign-in is off. */
  client_id: Schema.NullOr(Schema.String),
  /** When the secret of the client was sent or rotated; null without a client, or if it is older than this field. */
  client_since: Schema.NullOr(Schema.String),
  /** Whether the forge accepted the token in the last request, and no user disconnected it. */
  status: Schema.Literals(["connected", "disconnected"]),
  /** Why the connection is disconnected; null if it is connected. */
  reason: Schema.NullOr(Schema.String),
  /** The time when the token was set or rotated; null if this time was not recorded. */
  token_since: Schema.NullOr(Schema.String),
  /** Whether the token is being replaced: the old one works until this is false. */
  is_rotating: Schema.Boolean
}).annotate({ identifier: "ForgeConnection" })

interface Client {
  readonly client_id?: string | null
  readonly client_secret?: string | null
}

/** Requires that a request contains both the OAuth2 client id and secret, or neither. */
const withClient = Schema.makeFilter(({ client_id: id = null, client_secret: secret = null }: Client) =>
  (id === null) === (secret === null)
    ? undefined
    : { path: [id === null ? "client_id" : "client_secret"], issue: "Must be sent together with the other one." }
)

/** The request body that connects a forge. */
export const ForgeConnectionCreation = Schema.Struct({
  name: Schema.optionalKey(Name),
  url: Origin,
  token: Token,
  platform_url: Origin,
  ssh_port: Schema.optionalKey(SshPort),
  client_id: Schema.optionalKey(Schema.NullOr(Token)),
  client_secret: Schema.optionalKey(Schema.NullOr(Token)),
  /**
   * Whether the user of the token, identified by issuer and subject, becomes an owner of the root team. Nothing is granted
   * if the user has an account on the platform. Needs a client.
   */
  grant_owner: Schema.optionalKey(Schema.Boolean)
}).check(withClient)

/** The request body that changes a forge connection. */
export const ForgeConnectionChange = Schema.Struct({
  name: Schema.optionalKey(Name),
  token: Schema.optionalKey(Token),
  platform_url: Schema.optionalKey(Origin),
  ssh_port: Schema.optionalKey(SshPort),
  client_id: Schema.optionalKey(Schema.NullOr(Token)),
  client_secret: Schema.optionalKey(Schema.NullOr(Token))
}).check(withClient)

const uuid = { uuid: Schema.String }

/** The endpoints of forge connections. */
export class ForgeConnectionsApi extends HttpApiGroup.make("forge-connections")
  .add(
    HttpApiEndpoint.get("list", "/forge-connections", {
      query: pageQuery,
      success: listOf(ForgeConnection),
      error: BadRequestBody
    })
      .annotate(OpenApi.Summary, "List forge connections")
      .pipe(access("forgeConnection.list")),
    HttpApiEndpoint.post("create", "/forge-connections", {
      payload: ForgeConnectionCreation,
      success: createdAnswer,
      error: bodyErrors
    })
      .annotate(OpenApi.Summary, "Connect a forge with a token of one of its accounts")
      .pipe(access("forgeConnection.create")),
    HttpApiEndpoint.get("get", "/forge-connections/:uuid", {
      params: uuid,
      success: ForgeConnection,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Read a forge connection")
      .pipe(access("forgeConnection.read")),
    HttpApiEndpoint.patch("update", "/forge-connections/:uuid", {
      params: uuid,
      payload: ForgeConnectionChange,
      success: ForgeConnection,
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Change a forge connection, or replace its token")
      .pipe(access("forgeConnection.update")),
    HttpApiEndpoint.post("disconnect", "/forge-connections/:uuid/disconnect", {
      params: uuid,
      success: ForgeConnection,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Disconnect a forge: forget its token, and ignore its webhooks")
      .pipe(access("forgeConnection.disconnect")),
    HttpApiEndpoint.post("rotate", "/forge-connections/:uuid/rotate", {
      params: uuid,
      success: ForgeConnection,
      error: [BadRequestBody, NotFoundBody, ConflictBody, BadGatewayBody]
    })
      .annotate(OpenApi.Summary, "Rotate the token of a forge connection; the old one works for 10 minutes more")
      .pipe(access("forgeConnection.rotate")),
    HttpApiEndpoint.delete("delete", "/forge-connections/:uuid", {
      params: uuid,
      success: Message,
      error: [NotFoundBody, ConflictBody]
    })
      .annotate(OpenApi.Summary, "Delete a forge connection that no application uses")
      .pipe(access("forgeConnection.delete"))
  )
  .annotate(OpenApi.Description, "Connections to forges: their repositories are deployed by short names.") {}
