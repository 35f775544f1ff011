import { numberIn } from "@slipway/domain/forge/entry"
import type { OAuth2Application } from "@slipway/domain/forge/identity"
import { ClientSecrets, OAuth2Applications } from "@slipway/forge/identity"
import { Effect, Redacted } from "effect"
import { type OAuth2ClientCredentials, oauth2Endpoints } from "../../../api/forge/identity/oauth2.ts"
import { renameFields } from "../base/show.ts"
import { handle, shownOne } from "../entry/handle.ts"

const names = {
  redirect_uris: "redirectUris",
  confidential_client: "confidential",
  skip_secondary_authorization: "skipsConsent"
} as const

const showApplication = (application: OAuth2Application, secret = "") => ({
  id: application.id,
  name: application.name,
  client_id: application.clientId,
  client_secret: secret,
  confidential_client: application.confidential,
  skip_secondary_authorization: application.skipsConsent,
  redirect_uris: application.redirectUris,
  created: application.createdAt
})

const showMinted = ({ application, secret }: OAuth2Applications.MintedOAuth2Application) =>
  showApplication(application, Redacted.value(secret))

const credentialsIn = ({ client_id: clientId, client_secret: secret }: typeof OAuth2ClientCredentials.Type) => ({
  clientId,
  secret: Redacted.make(secret)
})

/** The handlers of OAuth2 applications. */
export const layerOAuth2Applications = handle(
  oauth2Endpoints,
  {
    "account.oauth2-application.list": ({ page, proof }) => OAuth2Applications.list(proof, page),
    "account.oauth2-application.create": ({ body, proof }) =>
      shownOne(OAuth2Applications.create(proof, renameFields(body, names)), showMinted),
    "account.oauth2-application.read": ({ params, proof }) => OAuth2Applications.read(proof, numberIn(params.id)),
    "account.oauth2-application.edit": ({ body, params, proof }) =>
      shownOne(OAuth2Applications.edit(proof, numberIn(params.id), renameFields(body, names)), showMinted),
    "account.oauth2-application.delete": ({ params, proof }) => OAuth2Applications.remove(proof, numberIn(params.id)),
    "oauth2-client.rotate": ({ body, proof }) => shownOne(ClientSecrets.rotate(proof, credentialsIn(body)), showMinted),
    "oauth2-client.confirm": ({ body, proof }) => Effect.asVoid(ClientSecrets.confirm(proof, credentialsIn(body)))
  },
  { show: (application: OAuth2Application) => showApplication(application) }
)
