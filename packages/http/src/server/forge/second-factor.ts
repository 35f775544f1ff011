import { SecondFactors } from "@slipway/domain/forge"
import { Effect, Redacted } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { SecondFactorApi } from "../../api/forge/second-factor.ts"
import { toHttpErrors } from "./errors.ts"
import { granted } from "./guard.ts"

class Api extends HttpApi.make("forge").add(SecondFactorApi).prefix("/api/v1") {}

const showCodes = (codes: ReadonlyArray<Redacted.Redacted>) => ({ recovery_codes: codes.map(Redacted.value) })

/** The handlers of the signed-in user's second factor. */
export const layerSecondFactor = HttpApiBuilder.group(Api, "secondFactor", (handlers) =>
  handlers.handleAll({
    read: () =>
      Effect.gen(function* () {
        const { on, recoveryCodes } = yield* SecondFactors.read(yield* granted("account.second-factor.read"))
        return { enabled: on, recovery_codes_left: recoveryCodes }
      }),
    enrol: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const { address, secret } = yield* SecondFactors.enrol(yield* granted("account.second-factor.enrol"))
          return { secret: Redacted.value(secret), address: Redacted.value(address) }
        })
      ),
    confirm: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("account.second-factor.confirm")
          return showCodes(yield* SecondFactors.confirm(proof, Redacted.make(payload.code)))
        })
      ),
    renewRecoveryCodes: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("account.second-factor.recovery-codes.create")
          return showCodes(yield* SecondFactors.renewRecoveryCodes(proof))
        })
      ),
    disable: () => toHttpErrors(Effect.flatMap(granted("account.second-factor.delete"), SecondFactors.disable))
  })
)
