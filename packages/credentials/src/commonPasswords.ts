import { CommonPasswords, passwordLengths } from "@slipway/domain/forge"
import { dictionary } from "@zxcvbn-ts/language-common"
import { Effect, Layer, Redacted } from "effect"

/** Knows the passwords that zxcvbn's list counts as common, as far as they are long enough to be set at all. */
export const layerCommonPasswords: Layer.Layer<CommonPasswords> = Layer.sync(CommonPasswords, () => {
  const known = new Set(
    dictionary["passwords-common"]
      .filter((each) => each.length >= passwordLengths.shortest)
      .map((each) => each.toLowerCase())
  )
  return { has: (password) => Effect.sync(() => known.has(Redacted.value(password).toLowerCase())) }
})
