import { createHash } from "node:crypto"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { BasicAuthHasher } from "@slipway/domain/deploy/containers"
import bcrypt from "bcryptjs"
import { Effect, Layer, Redacted } from "effect"

const cost = 10
const saltBytes = 16

// Of the application alone: a salt that came from the password, too, would be a quick way to guess it.
const saltOf = (application: ApplicationUuid): string => {
  const bytes = createHash("sha256").update(`basic auth of ${application}`).digest().subarray(0, saltBytes)
  return `$2b$${cost}$${bcrypt.encodeBase64([...bytes], saltBytes)}`
}

/** Hashes passwords with bcrypt, a few milliseconds at a time so that others get their turns. */
export const layerBasicAuthHasher = Layer.succeed(BasicAuthHasher, {
  hash: (application, password) => Effect.promise(() => bcrypt.hash(Redacted.value(password), saltOf(application)))
})
