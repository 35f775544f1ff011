import { area } from "../Action.ts"

const factor = area({
  on: "site",
  base: "/user/second_factor",
  scope: ["user"],
  guards: ["sign-in", "reject-public-only", "basic-auth"],
  publicOnly: "refused",
  signInFirst: true
})

/**
 * The actions on the second factor (two-factor authentication) of the signed-in user.
 *
 * The specification has no routes to set up a second factor, so these routes are additions. Requests with an API token
 * are rejected.
 */
export const secondFactorActions = {
  "account.second-factor.read": factor("GET", "Check whether the caller's second factor is on"),
  "account.second-factor.enrol": factor("POST", "Enroll a second factor; its secret is shown once"),
  "account.second-factor.delete": factor("DELETE", "Disable the second factor"),
  "account.second-factor.confirm": factor("POST /confirm", "Enable the second factor with a first code"),
  "account.second-factor.recovery-codes.create": factor(
    "POST /recovery_codes",
    "Create new recovery codes; old ones become invalid"
  )
} as const
