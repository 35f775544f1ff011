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
 * The sessions of the signed-in user, the password, the authorized clients, and the external identity providers.
 *
 * The specification has no routes for these, so they are custom. Actions that could make a token outlive itself require
 * the password.
 */
export const sessionActions = {
  "account.session.list": own("GET /sessions", "List one's sessions"),
  "account.session.create": own("POST /sessions", "Begin a session, whose cookie the answer sets", "basic-auth"),
  "account.session.delete-all": own("DELETE /sessions", "End all of one's sessions"),
  "account.session.delete": own("DELETE /sessions/{id}", "End a session"),
  "account.password.set": own("PUT /password", "Change one's password", "basic-auth"),
  "account.grant.list": own("GET /applications/authorized", "List the programs that one lets act for oneself"),
  "account.grant.delete": own("DELETE /applications/authorized/{id}", "Let a program no longer act for oneself"),
  "account.identity.list": own("GET /identities", "List the other services that sign one in"),
  "account.identity.delete": own("DELETE /identities/{id}", "Let another service no longer sign oneself in")
} as const
