import { Sealed, type SecretOwner, Vault } from "@slipway/domain"
import type { Application } from "@slipway/domain/deploy/apps"
import { Effect, Redacted, Schema } from "effect"

/** The rotation of the secret with which a connected forge signs deliveries to an application. */
export interface WebhookRotation {
  /** When the secret was replaced. */
  readonly at: string
  /** The former secret, which is valid until a delivery proves the present one; null after that. */
  readonly former: Redacted.Redacted | null
}

const Stored = Schema.fromJsonString(Schema.Struct({ at: Schema.String, former: Schema.NullOr(Schema.String) }))

const ownerOf = (uuid: Application["uuid"]): SecretOwner => ({ uuid, field: "webhook_rotation" })

/** Seals a rotation, with the former secret. */
export const sealRotation = Effect.fnUntraced(function* (uuid: Application["uuid"], { at, former }: WebhookRotation) {
  const text = yield* Effect.orDie(
    Schema.encodeEffect(Stored)({ at, former: former === null ? null : Redacted.value(former) })
  )
  return yield* (yield* Vault).seal(ownerOf(uuid), Redacted.make(text))
})

const nobody: SecretOwner = { uuid: "nobody", field: "nothing" }
const opensNever = Sealed.make("A".repeat(80))

/** Opens the rotation of an application; a missing application or rotation takes as long, and returns undefined. */
export const openRotation = Effect.fnUntraced(function* (of: Pick<Application, "secrets" | "uuid"> | undefined) {
  const vault = yield* Vault
  const sealed = of?.secrets.webhook_rotation
  if (of === undefined || sealed === undefined) {
    yield* Effect.ignore(vault.tryOpen(nobody, opensNever))
    return undefined
  }
  const text = Redacted.value(yield* vault.open(ownerOf(of.uuid), sealed))
  const { at, former } = yield* Effect.orDie(Schema.decodeEffect(Stored)(text))
  const rotation: WebhookRotation = { at, former: former === null ? null : Redacted.make(former) }
  return rotation
})
