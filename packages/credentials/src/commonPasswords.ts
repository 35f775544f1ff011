import { CommonPasswords, passwordLengths } from "@slipway/domain/sign-in"
import { Effect, Layer, Redacted } from "effect"

/** Reads the list of common passwords from the zxcvbn library. */
const readKnown = Effect.promise(async () => {
  const { dictionary } = await import("@zxcvbn-ts/language-common")
  return new Set(
    dictionary["passwords-common"]
      .filter((each) => each.length >= passwordLengths.shortest)
      .map((each) => each.toLowerCase())
  )
})

/** Provides the common passwords of zxcvbn's list that are long enough for the password rules. */
export const layerCommonPasswords: Layer.Layer<CommonPasswords> = Layer.effect(
  CommonPasswords,
  Effect.map(Effect.cached(Effect.uninterruptible(readKnown)), (known) => ({
    has: (password) => Effect.map(known, (all) => all.has(Redacted.value(password).toLowerCase()))
  }))
)
