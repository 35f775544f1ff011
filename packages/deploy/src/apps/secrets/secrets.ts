import { Sealed, type SecretOwner, Vault } from "@slipway/domain"
import type { Application, Secrets, Values } from "@slipway/domain/deploy/apps"
import { type SecretField, secretFields } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"

const ownerOf = (uuid: ApplicationUuid, field: SecretField): SecretOwner => ({ uuid, field })

const secretLength = 32

/** Generates a webhook secret, in hexadecimal digits. */
export const newWebhookSecret = Effect.gen(function* () {
  const bytes = yield* (yield* SecureRandom.SecureRandom).randomBytes(secretLength)
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")
})

/** Returns whether a webhook secret has the format of a generated secret. */
export const isGeneratedSecret = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** Encrypts the given secrets of an application. Omitted secrets stay unchanged, and null removes a secret. */
export const seal = Effect.fnUntraced(function* (uuid: ApplicationUuid, present: Secrets, values: Values) {
  const vault = yield* Vault
  const secrets: { -readonly [Name in keyof Secrets]: Secrets[Name] } = { ...present }
  for (const field of secretFields) {
    const sent = values[field]
    // A secret that a user sets replaces the former one immediately.
    if (sent !== undefined && field === "manual_webhook_secret_forgeD") delete secrets.webhook_rotation
    if (sent === null) delete secrets[field]
    else if (sent !== undefined) secrets[field] = yield* vault.seal(ownerOf(uuid, field), Redacted.make(sent))
  }
  return secrets as Secrets
})

/** Decrypts all secrets of an application. */
export const open = Effect.fnUntraced(function* ({ secrets, uuid }: Pick<Application, "secrets" | "uuid">) {
  const vault = yield* Vault
  const opened: { [Name in SecretField]?: string } = {}
  for (const field of secretFields) {
    const sealed = secrets[field]
    if (sealed !== undefined) opened[field] = Redacted.value(yield* vault.open(ownerOf(uuid, field), sealed))
  }
  return opened
})

const nobody: SecretOwner = { uuid: "nobody", field: "nothing" }
const opensNever = Sealed.make("A".repeat(80))

/** Decrypts a secret; undefined if missing. Both take equally long, to not disclose whether it exists. */
export const openInEqualTime = Effect.fnUntraced(function* (
  owner: SecretOwner | undefined,
  sealed: Sealed | undefined
) {
  const vault = yield* Vault
  if (owner !== undefined && sealed !== undefined) return yield* vault.open(owner, sealed)
  yield* Effect.ignore(vault.tryOpen(nobody, opensNever))
  return undefined
})

/** Decrypts one secret of an application; undefined if one of them is missing. All cases take equally long. */
export const openOne = Effect.fnUntraced(function* (
  of: Pick<Application, "secrets" | "uuid"> | undefined,
  field: SecretField
) {
  const secret = yield* openInEqualTime(of && ownerOf(of.uuid, field), of?.secrets[field])
  // An empty secret protects nothing.
  return secret === undefined || Redacted.value(secret) === "" ? undefined : secret
})
