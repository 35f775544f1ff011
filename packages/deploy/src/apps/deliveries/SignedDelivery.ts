import {
  type Application,
  ApplicationStore,
  gitlabAppFor,
  keyOf,
  type Provider,
  providers,
  type SentHeaders,
  shownBy
} from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { rootTeam, Unauthenticated } from "@slipway/domain/deploy/identity"
import { GitlabAppStore } from "@slipway/domain/deploy/infrastructure"
import { Clock, Effect, Redacted } from "effect"
import { Digest, Mac } from "effect/crypto"
import { openWebhookToken } from "../../infrastructure/gitlab-apps/GitlabApps.ts"
import { openOne } from "../secrets/secrets.ts"
import { openRotation } from "../secrets/webhookRotation.ts"

declare const proof: unique symbol

/** The proof that a webhook delivery is signed with the secret of an application; only `verify` creates one. */
export interface SignedDelivery {
  readonly applicationUuid: ApplicationUuid
  readonly provider: Provider
  readonly headers: SentHeaders
  readonly body: Uint8Array
  /** Whether the delivery is signed with the current secret; false for the previous secret during a rotation. */
  readonly isPresent: boolean
  /** Whether only the platform and the connected forge know the secret, so that the forge itself sent the delivery. */
  readonly isFromForge: boolean
  readonly [proof]: true
}

/** A webhook delivery as received, before its signature is verified. */
export interface Unsigned {
  readonly application: string
  readonly provider: Provider
  readonly headers: SentHeaders
  readonly body: Uint8Array
}

const encoder = new TextEncoder()

// Missing applications and missing secrets take the same time as a wrong signature.
const nobodys = Redacted.make("nobody's secret")

const digestOf = Effect.fnUntraced(function* (bytes: Uint8Array) {
  return yield* (yield* Digest.Digest).digest(Digest.sha256, bytes)
})

// Each header character is one byte of the request.
const bytesOf = (header: string): Uint8Array => Uint8Array.from(header, (character) => character.charCodeAt(0))

const isShown = Effect.fnUntraced(function* (secret: Redacted.Redacted, { body, headers, provider }: Unsigned) {
  const shown = shownBy(provider, headers, Math.floor((yield* Clock.currentTimeMillis) / 1_000))
  if (shown._tag === "Token") {
    // Digests have equal length, which does not disclose the length of the secret.
    return Mac.timingSafeEqual(
      yield* digestOf(bytesOf(shown.token)),
      yield* digestOf(encoder.encode(Redacted.value(secret)))
    )
  }
  const before = encoder.encode(shown.before)
  const signed = new Uint8Array(before.length + body.length)
  signed.set(before)
  signed.set(body, before.length)
  const key = yield* Mac.key(Mac.hmacSha256, keyOf(provider, Redacted.value(secret)))
  const expected = yield* (yield* Mac.Mac).sign(key, signed)
  return shown.tags.filter((tag) => Mac.timingSafeEqual(tag, expected)).length > 0
}, Effect.orDie)

/** Returns the webhook token of the GitLab app that serves an application's repository; undefined if there is none. */
const sharedToken = Effect.fnUntraced(function* (application: Application | undefined, provider: Provider) {
  if (provider !== "gitlab") return undefined
  const apps = yield* (yield* GitlabAppStore).ofTeam(application?.placement.teamId ?? rootTeam)
  const app = gitlabAppFor(apps, application?.configuration.git_repository ?? "")
  return app && (yield* openWebhookToken(app))
})

/**
 * Verifies the signature of a webhook delivery. It is valid with one of these secrets:
 * - the application's secret for its provider;
 * - the previous secret of a rotation, until a delivery is signed with the new one;
 * - for GitLab, the token of the GitLab app for the repository.
 *
 * Fails with the same error for a missing application, a missing secret, and a wrong or missing signature.
 */
export const verify = Effect.fnUntraced(function* (unsigned: Unsigned) {
  const { application: uuid, body, headers, provider } = unsigned
  // A text that is not a uuid finds nothing, which is all that a caller may learn.
  const application = yield* (yield* ApplicationStore).find(uuid as ApplicationUuid)
  const secret = yield* openOne(application, providers[provider].secret)
  const shared = yield* sharedToken(application, provider)
  const isOwn = (yield* isShown(secret ?? nobodys, unsigned)) && secret !== undefined
  const isShared = (yield* isShown(shared ?? nobodys, unsigned)) && shared !== undefined
  const isPresent = isOwn || isShared
  // Only the secret of a connected forge is rotated; the others take the same time.
  const rotation = yield* openRotation(application)
  const former = provider === "gitea" ? rotation?.former : undefined
  const isFormer = (yield* isShown(former ?? nobodys, unsigned)) && former !== undefined && former !== null
  if (application === undefined || !(isPresent || isFormer)) {
    yield* Effect.logDebug(`a delivery of ${provider} was rejected: its signature does not match the secret`)
    return yield* new Unauthenticated()
  }
  const isPrivate = (isPresent ? rotation?.isPrivate : rotation?.isFormerPrivate) ?? false
  const isFromForge = provider === "gitea" && isPrivate
  return { applicationUuid: application.uuid, provider, headers, body, isPresent, isFromForge } as SignedDelivery
})
