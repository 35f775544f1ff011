import { type SecretOwner, Vault } from "@slipway/domain"
import type { Application } from "@slipway/domain/deploy/apps"
import { Effect, Redacted, Schema } from "effect"
import { openInEqualTime } from "./secrets.ts"

/** The rotation of the secret with which a connected forge signs webhook deliveries to an application. */
export interface WebhookRotation {
  /** The time at which the secret was replaced. */
  readonly at: string
  /** The previous secret, which is valid until a delivery is signed with the current secret; null after that. */
  readonly former: Redacted.Redacted | null
}

const Stored = Schema.fromJsonString(Schema.Struct({ at: Schema.String, former: Schema.NullOr(Schema.String) }))

const ownerOf = (uuid: Application["uuid"]): SecretOwner => ({ uuid, field: "webhook_rotation" })

/** Encrypts a rotation, including its previous secret. */
export const sealRotation = Effect.fnUntraced(function* (uuid: Application["uuid"], { at, former }: WebhookRotation) {
  const text = yield* Effect.orDie(
    Schema.encodeEffect(Stored)({ at, former: former === null ? null : Redacted.value(former) })
  )
  return yield* (yield* Vault).seal(ownerOf(uuid), Redacted.make(text))
})

/** Decrypts the rotation of an application; undefined if one of them is missing. All cases take equally long. */
export const openRotation = Effect.fnUntraced(function* (of: Pick<Application, "secrets" | "uuid"> | undefined) {
  const opened = yield* openInEqualTime(of && ownerOf(of.uuid), of?.secrets.webhook_rotation)
  if (opened === undefined) return undefined
  const { at, former } = yield* Effect.orDie(Schema.decodeEffect(Stored)(Redacted.value(opened)))
  const rotation: WebhookRotation = { at, former: former === null ? null : Redacted.make(former) }
  return rotation
})
