import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "./access.ts"
import { ConflictBody } from "./errors.ts"
import { text } from "./schemas.ts"

/** The recovery codes of a second factor, each of which stands in for a code once; they are shown this once. */
export const RecoveryCodes = Schema.Struct({ recovery_codes: Schema.Array(Schema.String) }).annotate({
  identifier: "RecoveryCodes"
})

/** The endpoints of the signed-in user's second factor. */
export class SecondFactorApi extends HttpApiGroup.make("secondFactor")
  .add(
    HttpApiEndpoint.get("read", "/user/second_factor", {
      success: Schema.Struct({ enabled: Schema.Boolean, recovery_codes_left: Schema.Int })
    })
      .annotate(OpenApi.Summary, "Tell whether one's second factor is on")
      .pipe(access("account.second-factor.read")),
    HttpApiEndpoint.post("enrol", "/user/second_factor", {
      success: Schema.Struct({
        secret: Schema.String,
        address: Schema.String.annotate({ description: "An `otpauth://` address, which apps read as a picture." })
      }).pipe(HttpApiSchema.status(201)),
      error: ConflictBody
    })
      .annotate(OpenApi.Summary, "Begin a second factor; its secret is shown this once")
      .pipe(access("account.second-factor.enrol")),
    HttpApiEndpoint.post("confirm", "/user/second_factor/confirm", {
      payload: Schema.Struct({ code: text(64) }),
      success: RecoveryCodes,
      error: ConflictBody
    })
      .annotate(OpenApi.Summary, "Turn the second factor on with a first code")
      .pipe(access("account.second-factor.confirm")),
    HttpApiEndpoint.post("renewRecoveryCodes", "/user/second_factor/recovery_codes", {
      success: RecoveryCodes.pipe(HttpApiSchema.status(201)),
      error: ConflictBody
    })
      .annotate(OpenApi.Summary, "Make new recovery codes; the old ones are void")
      .pipe(access("account.second-factor.recovery-codes.create")),
    HttpApiEndpoint.delete("disable", "/user/second_factor", {
      success: HttpApiSchema.NoContent,
      error: ConflictBody
    })
      .annotate(OpenApi.Summary, "Take the second factor off")
      .pipe(access("account.second-factor.delete"))
  )
  .annotate(OpenApi.Description, "One-time codes beside the password.") {}
