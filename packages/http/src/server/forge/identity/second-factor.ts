import { SecondFactors } from "@slipway/forge/identity"
import { Effect, Redacted } from "effect"
import { secondFactorEndpoints } from "../../../api/forge/identity/second-factor.ts"
import { handle } from "../entry/handle.ts"

const showCodes = (codes: ReadonlyArray<Redacted.Redacted>) => ({ recovery_codes: codes.map(Redacted.value) })

/** The handlers of the signed-in user's second factor. */
export const layerSecondFactor = handle(secondFactorEndpoints, {
  "account.second-factor.read": ({ proof }) =>
    Effect.map(SecondFactors.read(proof), ({ on, recoveryCodes }) => ({
      enabled: on,
      recovery_codes_left: recoveryCodes
    })),
  "account.second-factor.enrol": ({ proof }) =>
    Effect.map(SecondFactors.enrol(proof), ({ address, secret }) => ({
      secret: Redacted.value(secret),
      address: Redacted.value(address)
    })),
  "account.second-factor.confirm": ({ body, proof }) =>
    Effect.map(SecondFactors.confirm(proof, Redacted.make(body.code)), showCodes),
  "account.second-factor.recovery-codes.create": ({ proof }) =>
    Effect.map(SecondFactors.renewRecoveryCodes(proof), showCodes),
  "account.second-factor.delete": ({ proof }) => SecondFactors.disable(proof)
})
