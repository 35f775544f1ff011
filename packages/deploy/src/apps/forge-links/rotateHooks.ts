import { logOutages, now, streamOf, Transaction } from "@slipway/domain"
import { type Application, ApplicationStore } from "@slipway/domain/deploy/apps"
import { ForgeAppStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Redacted, Stream } from "effect"
import { isGeneratedSecret, newWebhookSecret, openOne, seal } from "../secrets/secrets.ts"
import { openRotation, sealRotation } from "../secrets/webhookRotation.ts"
import { prepareRepository } from "./link.ts"

const field = "manual_webhook_secret_forgeD"

/** Deletes the previous secret of an application's webhook. The caller must have locked the application. */
export const forgetFormer = Effect.fnUntraced(function* (application: Application) {
  const rotation = yield* openRotation(application)
  if (rotation === undefined || rotation.former === null) return
  const webhook_rotation = yield* sealRotation(application.uuid, { ...rotation, former: null })
  yield* Effect.orDie(
    (yield* ApplicationStore).replace({ ...application, secrets: { ...application.secrets, webhook_rotation } })
  )
})

/**
 * Replaces the secret of an application's webhook if it is older than a time, or if users may know it. Returns the
 * changed application.
 *
 * Keeps a secret that the platform did not generate. During an unfinished rotation, it also keeps the secret and
 * returns the unchanged application.
 */
const replaceSecret = Effect.fnUntraced(function* (uuid: Application["uuid"], since: string) {
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const store = yield* ApplicationStore
      const application = yield* store.lock(uuid)
      const former = yield* openOne(application, field)
      if (application === undefined || former === undefined || !isGeneratedSecret(Redacted.value(former))) {
        return undefined
      }
      const rotation = yield* openRotation(application)
      const isPrivate = rotation?.isPrivate ?? false
      if (isPrivate && (rotation?.at ?? application.createdAt) >= since) return undefined
      if (rotation !== undefined && rotation.former !== null) return application
      const secrets = yield* seal(uuid, application.secrets, { [field]: yield* newWebhookSecret })
      const webhook_rotation = yield* sealRotation(uuid, {
        at: yield* now,
        former,
        isPrivate: true,
        isFormerPrivate: isPrivate
      })
      const changed: Application = { ...application, secrets: { ...secrets, webhook_rotation } }
      yield* Effect.orDie(store.replace(changed))
      return changed
    })
  )
})

/**
 * Replaces the secret of an application's webhook, first in the database and then at the forge.
 *
 * The platform accepts the previous secret until a delivery is signed with the new one, so a crash on either side loses
 * no delivery. The next deployment or rotation sends the new secret to the forge again.
 */
const rotateHook = Effect.fnUntraced(function* (uuid: Application["uuid"], since: string) {
  const changed = yield* replaceSecret(uuid, since)
  if (changed === undefined) return
  yield* Effect.catch(prepareRepository(changed), ({ because }) =>
    Effect.logWarning("the new secret of a webhook could not be sent to its forge", uuid, because)
  )
})

/** The maximum number of connections of which the webhook secrets are rotated. */
const mostWatched = 1_000

/**
 * Rotates the webhook secrets of applications on connected forges, each time the token of a forge was rotated or
 * replaced. Runs until it is interrupted.
 */
export const watchHooks = Effect.gen(function* () {
  const handled = new Map<string, string>()
  const look = Effect.gen(function* () {
    const forges = yield* (yield* ForgeAppStore).connected({ limit: mostWatched })
    const due = new Map(
      forges.flatMap(({ connection: { rejection, tokenSince }, uuid }) =>
        rejection === null && tokenSince !== null && handled.get(uuid) !== tokenSince
          ? [[uuid, tokenSince] as const]
          : []
      )
    )
    if (due.size === 0) return
    const store = yield* ApplicationStore
    const affected = streamOf((window) => store.ofForgeApps([...due.keys()], window))
    yield* Stream.runForEach(affected, ({ forgeAppUuid, uuid }) => {
      const since = forgeAppUuid === null ? undefined : due.get(forgeAppUuid)
      return since === undefined ? Effect.void : rotateHook(uuid, since)
    })
    for (const [uuid, since] of due) handled.set(uuid, since)
  })
  return yield* look.pipe(
    logOutages("rotating the secrets of webhooks failed"),
    Effect.andThen(Effect.sleep("1 minute")),
    Effect.forever
  )
})
