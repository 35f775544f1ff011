import { area } from "../Action.ts"

const own = area({
  on: "site",
  base: "/user",
  scope: ["user"],
  guards: ["sign-in", "reject-public-only"],
  publicOnly: "refused",
  signInFirst: true
})

/**
 * The actions on the signed-in user's sessions, password, authorized OAuth clients and external identities.
 *
 * The specification has no routes for these, so they are additions. Actions with which a stolen token could keep access
 * after its removal require the password.
 */
export const sessionActions = {
  "account.session.list": own("GET /sessions", "List the caller's sessions"),
  "account.session.create": own("POST /sessions", "Create a session and set its cookie", "basic-auth"),
  "account.session.delete-all": own("DELETE /sessions", "Revoke all sessions of the caller"),
  "account.session.delete": own("DELETE /sessions/{id}", "Revoke a session"),
  "account.password.set": own("PUT /password", "Change the caller's password", "basic-auth"),
  "account.grant.list": own("GET /applications/authorized", "List the OAuth2 clients that the caller authorized"),
  "account.grant.delete": own("DELETE /applications/authorized/{id}", "Revoke the authorization of an OAuth2 client"),
  "account.identity.list": own("GET /identities", "List the caller's linked sign-in services"),
  "account.identity.delete": own("DELETE /identities/{id}", "Unlink a sign-in service")
} as const
