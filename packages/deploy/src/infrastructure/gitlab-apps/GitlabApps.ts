import { makeUuid, now, Transaction, Vault } from "@slipway/domain"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { teamOf } from "@slipway/domain/deploy/identity"
import { type GitlabApp, GitlabAppNotFound, GitlabAppStore, GitlabAppUuid } from "@slipway/domain/deploy/infrastructure"
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { listUseCase, removeUseCase } from "../../base/reading/listUseCases.ts"

/** The fields of a GitLab app that its users set; the token is write-only. */
export interface GitlabAppInput extends Pick<GitlabApp, "customPort" | "customUser" | "groups" | "htmlUrl" | "name"> {
  /** The token that GitLab sends with webhooks; null generates one. */
  readonly webhookToken: Redacted.Redacted | null
}

const tokenOwner = (uuid: GitlabAppUuid) => ({ uuid, field: "webhook_token" })

const tokenBytes = 32

const generated = Effect.gen(function* () {
  return Redacted.make(Base64Url.encode(yield* (yield* SecureRandom.SecureRandom).randomBytes(tokenBytes)))
})

/** Decrypts the token that GitLab sends with the webhooks of a GitLab app. */
export const openWebhookToken = Effect.fnUntraced(function* ({
  uuid,
  webhookToken
}: Pick<GitlabApp, "uuid" | "webhookToken">) {
  return yield* (yield* Vault).open(tokenOwner(uuid), webhookToken)
})

/**
 * Stores a GitLab app. Returns it with the generated webhook token, which is never shown again; the token is null if
 * the request contained one.
 */
export const create = Effect.fnUntraced(function* (
  { resource }: Authorized<"gitlabApp.create">,
  { webhookToken: sent, ...input }: GitlabAppInput
) {
  const uuid = yield* makeUuid(GitlabAppUuid)
  const token = sent ?? (yield* generated)
  const at = yield* now
  const app = yield* Effect.orDie(
    (yield* GitlabAppStore).insert({
      ...input,
      uuid,
      teamId: teamOf(resource.caller.access),
      webhookToken: yield* (yield* Vault).seal(tokenOwner(uuid), token),
      createdAt: at,
      updatedAt: at
    })
  )
  return { app, webhookToken: sent === null ? token : null }
})

/** Changes a GitLab app. Omitted fields stay unchanged; a webhook token of null also stays unchanged. */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"gitlabApp.update">,
  { webhookToken, ...input }: Partial<GitlabAppInput>
) {
  const { uuid } = resource.gitlabApp
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const store = yield* GitlabAppStore
      const present = yield* store.lock(uuid)
      if (present === undefined) return yield* new GitlabAppNotFound()
      const sealed =
        webhookToken === undefined || webhookToken === null
          ? {}
          : { webhookToken: yield* (yield* Vault).seal(tokenOwner(uuid), webhookToken) }
      const changed: GitlabApp = { ...present, ...input, ...sealed, updatedAt: yield* now }
      yield* Effect.orDie(store.replace(changed))
      return changed
    })
  )
})

/** List use cases: `list` reads one page of GitLab apps, `stream` reads all; neither returns tokens. */
export const { list, stream } = listUseCase("gitlabApp", GitlabAppStore)

const removeRow = removeUseCase("gitlabApp", GitlabAppStore, () => new GitlabAppNotFound())

/** Removes a GitLab app. Applications then use only their own settings for deploy keys and webhooks. */
export const remove = (proof: Authorized<"gitlabApp.delete">) =>
  // No row refers to a GitLab app.
  Effect.catchTag(removeRow(proof), "InUse", Effect.die)
