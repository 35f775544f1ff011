import { area, readsOnly } from "../Action.ts"

const site = area({ on: "site", base: "", scope: [] })
const federation = area({ on: "site", base: "", scope: ["activitypub"], guards: ["federation-enabled"] })
// Not in the specification: explains why a user may perform an action or not.
const explained = area({
  on: "site",
  base: "/access",
  scope: ["organization", "repository", "user"],
  guards: ["sign-in"],
  publicOnly: "refused",
  signInFirst: true
})
const visitors = area({ on: "site", base: "/user", scope: [], signInFirst: true })
const token = area({ on: "site", base: "/token", scope: [], guards: ["sign-in"], publicOnly: "self" })
const client = area({ on: "site", base: "/oauth2-client", scope: [], guards: ["sign-in"], publicOnly: "self" })

/** The actions without a resource, each with its route and its guards (named access checks). */
export const siteActions = {
  "api-reference.read": site("GET /swagger", "Redirect to the interactive reference", "swagger-enabled"),
  "nodeinfo.read": federation("GET /nodeinfo", "Reply that federation is not implemented"),
  "activitypub.read": readsOnly(federation("ANY /activitypub/*", "Reply that federation is not implemented")),
  "activitypub.write": federation("ANY /activitypub/*", "Reply that federation is not implemented"),
  "access.explain": explained("GET /explain", "Explain why an action is allowed or denied"),
  "access.actions": explained("GET /actions", "List the actions that a user can perform on a resource"),
  "access.objects": explained("GET /objects", "List the repositories on which a user may perform an action"),
  "access.subjects": explained(
    "GET /subjects",
    "List the users with access to a repository, each with whether the user may perform an action"
  ),
  "access.watch": explained("GET /subjects/stream", "Follow which users may perform an action on a repository"),
  "access.check": readsOnly(site("POST /access/check", "Decide a batch of actions of the caller")),
  // Not in the specification, which has neither sign-up nor password resets.
  "account.create": visitors("POST /sign_up", "Create an account", "registration-enabled"),
  "account.password-reset.create": visitors("POST /password_reset", "Request an email that resets a password"),
  "account.password-reset.finish": visitors("POST /password_reset/finish", "Set a password by the code of an email"),
  "version.read": site("GET /version", "Read the version of the service"),
  "signing-key.gpg.read": site("GET /signing-key.gpg", "Read the GPG key that signs commits on the site"),
  "signing-key.pub.read": site("GET /signing-key.pub", "Read the SSH key that signs commits on the site"),
  "markup.render": site("POST /markup", "Render markup", "sign-in"),
  "markdown.render": site("POST /markdown", "Render Markdown", "sign-in"),
  "markdown.render-raw": site("POST /markdown/raw", "Render raw Markdown", "sign-in"),
  "gitignore-template.list": site("GET /gitignore/templates", "List the templates for `.gitignore`"),
  "gitignore-template.read": site("GET /gitignore/templates/{name}", "Read a template for `.gitignore`"),
  "license.list": site("GET /licenses", "List the licences for new repositories"),
  "license.read": site("GET /licenses/{name}", "Read a licence"),
  "label-template.list": site("GET /label/templates", "List the label templates for new repositories"),
  "label-template.read": site("GET /label/templates/{name}", "List the labels of a template"),
  "settings.ui.read": site("GET /settings/ui", "Read the settings of the interface"),
  "settings.api.read": site("GET /settings/api", "Read the page size and size limits of the API"),
  "settings.attachment.read": site("GET /settings/attachment", "Read the attachment limits"),
  "settings.repository.read": site("GET /settings/repository", "Read the disabled repository features"),
  "token.read": token("GET", "Read the token in use"),
  "token.delete": token("DELETE", "Delete the token in use"),
  // Not in the specification: connects a service on another machine by a code.
  "token.exchange": token("POST", "Exchange the one-time token in use for a lasting one; its text is shown once"),
  // Not in the specification: a service replaces its token without a moment in which neither text works.
  "token.rotate": token("POST /rotation", "Create the successor of the token in use; its text is shown once"),
  "token.confirm": token(
    "POST /rotation/confirm",
    "Confirm the successor in use: the token keeps its id and name, and its old text stops working"
  ),
  // Not in the specification: the same for the secret of an OAuth2 client, which the body proves.
  "oauth2-client.rotate": client(
    "POST /rotation",
    "Create the successor of the secret of an OAuth2 client, by that secret; its text is shown once"
  ),
  "oauth2-client.confirm": client(
    "POST /rotation/confirm",
    "Confirm the successor of the secret of an OAuth2 client: the old secret stops working"
  )
} as const
