import { Schema } from "effect"
import { create, edit, endpoints, read, remove } from "../base/endpoints.ts"
import { ConflictBody } from "../base/errors.ts"
import { text } from "../base/schemas.ts"

/** The recovery codes of a second factor, returned only once; each works once instead of an app's code. */
export const RecoveryCodes = Schema.Struct({ recovery_codes: Schema.Array(Schema.String) }).annotate({
  identifier: "RecoveryCodes"
})

/** Whether the second factor is on, and the number of unused recovery codes. */
export const SecondFactorState = Schema.Struct({ enabled: Schema.Boolean, recovery_codes_left: Schema.Int })

/** The secret of a second factor that isn't confirmed yet. */
export const SecondFactorSecret = Schema.Struct({
  secret: Schema.String,
  address: Schema.String.annotate({
    description: "An `otpauth://` address, which authenticator apps read as a QR code."
  })
})

const errors = [ConflictBody]

/** The endpoints of the signed-in user's second factor. */
export const secondFactorEndpoints = endpoints("secondFactor", "One-time codes as a second factor.", {
  "account.second-factor.read": read(SecondFactorState),
  "account.second-factor.enrol": create(SecondFactorSecret, { errors }),
  "account.second-factor.confirm": edit(RecoveryCodes, { body: Schema.Struct({ code: text(64) }), errors }),
  "account.second-factor.recovery-codes.create": create(RecoveryCodes, { errors }),
  "account.second-factor.delete": remove({ errors })
})
