import { area, readsOnly } from "../Action.ts"

const site = area({ on: "site", base: "", scope: [] })
const federation = area({ on: "site", base: "", scope: ["activitypub"], guards: ["federation-enabled"] })
// Not of the specification: why somebody may do something or not.
const explained = area({
  on: "site",
  base: "/access",
  scope: ["organization", "repository", "user"],
  guards: ["sign-in"],
  publicOnly: "refused",
  signInFirst: true
})
const token = area({ on: "site", base: "/token", scope: [], guards: ["sign-in"], publicOnly: "self" })

/** What belongs to no resource: each action with its route and the guards of its row. */
export const siteActions = {
  "api-reference.read": site("GET /swagger", "swagger-enabled"),
  "nodeinfo.read": federation("GET /nodeinfo"),
  "activitypub.read": readsOnly(federation("ANY /activitypub/*")),
  "activitypub.write": federation("ANY /activitypub/*"),
  "access.explain": explained("GET /explain"),
  "version.read": site("GET /version"),
  "signing-key.gpg.read": site("GET /signing-key.gpg"),
  "signing-key.pub.read": site("GET /signing-key.pub"),
  "markup.render": site("POST /markup", "sign-in"),
  "markdown.render": site("POST /markdown", "sign-in"),
  "markdown.render-raw": site("POST /markdown/raw", "sign-in"),
  "gitignore-template.list": site("GET /gitignore/templates"),
  "gitignore-template.read": site("GET /gitignore/templates/{name}"),
  "license.list": site("GET /licenses"),
  "license.read": site("GET /licenses/{name}"),
  "label-template.list": site("GET /label/templates"),
  "label-template.read": site("GET /label/templates/{name}"),
  "settings.ui.read": site("GET /settings/ui"),
  "settings.api.read": site("GET /settings/api"),
  "settings.attachment.read": site("GET /settings/attachment"),
  "settings.repository.read": site("GET /settings/repository"),
  "token.read": token("GET"),
  "token.delete": token("DELETE")
} as const
