import { Schema } from "effect"
import { create, done, edit, endpoints, list, read, remove } from "../base/endpoints.ts"
import { Moment, optionalNullable, text } from "../base/schemas.ts"

const flags = {
  confidential_client: optionalNullable(Schema.Boolean),
  skip_secondary_authorization: optionalNullable(Schema.Boolean)
}

/** The request body that creates an OAuth2 application. */
export const CreateOAuth2ApplicationOptions = Schema.Struct({
  name: text(255),
  redirect_uris: Schema.Array(text(2_000)),
  ...flags
}).annotate({ identifier: "CreateOAuth2ApplicationOptions" })

/** The request body that changes an OAuth2 application. */
export const EditOAuth2ApplicationOptions = Schema.Struct({
  name: optionalNullable(text(255)),
  redirect_uris: optionalNullable(Schema.Array(text(2_000))),
  ...flags
}).annotate({ identifier: "EditOAuth2ApplicationOptions" })

/**
 * An OAuth2 application as returned by the API.
 *
 * The client secret is only in the response to the creation or change, and empty in other responses.
 */
export const OAuth2Application = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  client_id: Schema.String,
  client_secret: Schema.String,
  confidential_client: Schema.Boolean,
  skip_secondary_authorization: Schema.Boolean,
  redirect_uris: Schema.Array(Schema.String),
  created: Moment
}).annotate({ identifier: "OAuth2Application" })

/** The body that proves the secret of an OAuth2 client. */
export const OAuth2ClientCredentials = Schema.Struct({
  client_id: text(255),
  client_secret: text(255)
}).annotate({ identifier: "OAuth2ClientCredentials" })

/** The endpoints of OAuth2 applications. */
export const oauth2Endpoints = endpoints("oauth2", "OAuth2 applications, which act for users with their consent.", {
  "account.oauth2-application.list": list(OAuth2Application),
  "account.oauth2-application.create": create(OAuth2Application, { body: CreateOAuth2ApplicationOptions }),
  "account.oauth2-application.read": read(OAuth2Application),
  "account.oauth2-application.edit": edit(OAuth2Application, { body: EditOAuth2ApplicationOptions }),
  "account.oauth2-application.delete": remove(),
  "oauth2-client.rotate": create(OAuth2Application, { body: OAuth2ClientCredentials }),
  "oauth2-client.confirm": done({ body: OAuth2ClientCredentials })
})
