import { type SecretOwner, Vault } from "@slipway/domain"
import type { Application } from "@slipway/domain/deploy/apps"
import { Effect, Redacted, Schema } from "effect"
import { openInEqualTime } from "./secrets.ts"

/** The origin of the secret with which a connected forge signs webhook deliveries to an application. */
export interface WebhookRotation {
  /** The time at which the platform generated the secret. */
  readonly at: string
  /** The previous secret, which is valid until a delivery is signed with the current secret; null after that. */
  readonly former: Redacted.Redacted | null
  /** Whether the current secret was never shown: only the platform and the forge know it. */
  readonly isPrivate: boolean
  /** The same for the previous secret. */
  readonly isFormerPrivate: boolean
}

// Records of former versions lack the last two fields: those versions showed generated secrets to users.
const Stored = Schema.fromJsonString(
  Schema.Struct({
    at: Schema.String,
    former: Schema.NullOr(Schema.String),
    isPrivate: Schema.optionalKey(Schema.Boolean),
    isFormerPrivate: Schema.optionalKey(Schema.Boolean)
  })
)

const ownerOf = (uuid: Application["uuid"]): SecretOwner => ({ uuid, field: "webhook_rotation" })

/** Encrypts a rotation, including its previous secret. */
export const sealRotation = Effect.fnUntraced(function* (uuid: Application["uuid"], rotation: WebhookRotation) {
  const former = rotation.former === null ? null : Redacted.value(rotation.former)
  const text = yield* Effect.orDie(Schema.encodeEffect(Stored)({ ...rotation, former }))
  return yield* (yield* Vault).seal(ownerOf(uuid), Redacted.make(text))
})

/** Decrypts the rotation of an application; undefined if one of them is missing. All cases take equally long. */
export const openRotation = Effect.fnUntraced(function* (of: Pick<Application, "secrets" | "uuid"> | undefined) {
  const opened = yield* openInEqualTime(of && ownerOf(of.uuid), of?.secrets.webhook_rotation)
  if (opened === undefined) return undefined
  const stored = yield* Effect.orDie(Schema.decodeEffect(Stored)(Redacted.value(opened)))
  const { at, isFormerPrivate = false, isPrivate = false } = stored
  const former = stored.former === null ? null : Redacted.make(stored.former)
  return { at, former, isPrivate, isFormerPrivate } satisfies WebhookRotation
})
