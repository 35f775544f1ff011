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
 * The second factor of the signed-in user.
 *
 * The specification requires the factor but has no route to set it up, so these routes are custom. Tokens cannot use
 * them.
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
