import { CommonPasswords } from "@slipway/domain/forge/identity"
import { createForge } from "@slipway/embed"
import { Effect, Layer, Redacted } from "effect"

/** Replaces the list of common passwords: rejects passwords that contain the company's name. */
const commonPasswords = Layer.succeed(CommonPasswords, {
  has: (password) => Effect.succeed(Redacted.value(password).toLowerCase().includes("acme"))
})

/** Creates a forge that uses the adapter above. */
export const makeForge = () => createForge({ ports: commonPasswords })

/** Creates a user with a password and returns `made`, or the error message. */
export const tried = async (password: string) => {
  await using forge = await makeForge()
  const body = { username: "ann", email: "ann@example.com", password }
  const made = await forge.actAs("administrator", { errors: "values" }).admin.user.create({ body })
  return made.ok ? "made" : made.error.message
}

if (import.meta.main) process.stdout.write(`${await tried("I love acme")}\n${await tried("correct horse battery")}\n`)
