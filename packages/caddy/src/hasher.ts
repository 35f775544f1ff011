import { BasicAuthHasher } from "@slipway/domain/deploy"
import bcrypt from "bcryptjs"
import { Effect, Layer, Redacted } from "effect"

const cost = 10

/** Hashes passwords with bcrypt, a few milliseconds at a time so that others get their turns. */
export const layerBasicAuthHasher = Layer.succeed(BasicAuthHasher, {
  hash: (password) => Effect.promise(() => bcrypt.hash(Redacted.value(password), cost))
})
