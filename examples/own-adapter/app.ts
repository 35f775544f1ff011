import { CommonPasswords } from "@slipway/domain/forge/identity"
import { createForge } from "@slipway/embed"
import { Effect, Layer, Redacted } from "effect"

/** Takes the place of the list of common passwords: what has the company's name in it is common here. */
const commonPasswords = Layer.succeed(CommonPasswords, {
  has: (password) => Effect.succeed(Redacted.value(password).toLowerCase().includes("acme"))
})

/** Makes a forge with an adapter of one's own under it. */
export const makeForge = () => createForge({ ports: commonPasswords })

/** Answers what becomes of a password. */
export const tried = async (password: string) => {
  await using forge = await makeForge()
  const body = { username: "ann", email: "ann@example.com", password }
  const made = await forge.actAs("administrator", { errors: "values" }).admin.user.create({ body })
  return made.ok ? "made" : made.error.message
}

if (import.meta.main) process.stdout.write(`${await tried("I love acme")}\n${await tried("correct horse battery")}\n`)
