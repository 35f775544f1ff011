import { Sealed, type SecretOwner, Vault } from "@slipway/domain"
import type { Application, Secrets, Values } from "@slipway/domain/deploy/apps"
import { type SecretField, secretFields } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"

const ownerOf = (uuid: ApplicationUuid, field: SecretField): SecretOwner => ({ uuid, field })

const secretLength = 32

/** Generates the secret of a webhook, in hexadecimal digits. */
export const newWebhookSecret = Effect.gen(function* () {
  const bytes = yield* (yield* SecureRandom.SecureRandom).randomBytes(secretLength)
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")
})

/** Returns whether the secret of a webhook has the form of a generated one. */
export const isGeneratedSecret = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** Seals the given secrets; omitted ones stay unchanged, and null removes one. */
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

/** Opens the secrets of an application. */
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

/** Opens a sealed value; a missing one takes as long, and returns undefined. */
export const openInEqualTime = Effect.fnUntraced(function* (
  owner: SecretOwner | undefined,
  sealed: Sealed | undefined
) {
  const vault = yield* Vault
  if (owner !== undefined && sealed !== undefined) return yield* vault.open(owner, sealed)
  yield* Effect.ignore(vault.tryOpen(nobody, opensNever))
  return undefined
})

/** Opens one secret of an application; a missing application or secret takes as long, and returns undefined. */
export const openOne = Effect.fnUntraced(function* (
  of: Pick<Application, "secrets" | "uuid"> | undefined,
  field: SecretField
) {
  const secret = yield* openInEqualTime(of && ownerOf(of.uuid, field), of?.secrets[field])
  // An empty secret protects nothing.
  return secret === undefined || Redacted.value(secret) === "" ? undefined : secret
})
