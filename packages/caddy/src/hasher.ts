import { createHash } from "node:crypto"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { BasicAuthHasher } from "@slipway/domain/deploy/containers"
import bcrypt from "bcryptjs"
import { Effect, Layer, Redacted } from "effect"

const cost = 10
const saltBytes = 16

// The salt depends only on the application: a salt derived from the password would speed up guessing.
const saltOf = (application: ApplicationUuid): string => {
  const bytes = createHash("sha256").update(`basic auth of ${application}`).digest().subarray(0, saltBytes)
  return `$2b$${cost}$${bcrypt.encodeBase64([...bytes], saltBytes)}`
}

/** Hashes passwords with bcrypt, in steps of a few milliseconds so that other fibers can run. */
export const layerBasicAuthHasher = Layer.succeed(BasicAuthHasher, {
  hash: (application, password) => Effect.promise(() => bcrypt.hash(Redacted.value(password), saltOf(application)))
})
