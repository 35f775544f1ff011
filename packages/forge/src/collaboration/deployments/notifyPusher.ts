import type { EmailContent } from "@slipway/domain"
import { inLine } from "@slipway/domain"
import { allows } from "@slipway/domain/forge/access"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { Repository } from "@slipway/domain/forge/code"
import type { Deployment, DeploymentStatus } from "@slipway/domain/forge/collaboration"
import { wantsNotificationEmail } from "@slipway/domain/forge/collaboration"
import { EffectiveAccessStore, pairFacts } from "@slipway/domain/forge/explanation"
import type { UserId } from "@slipway/domain/forge/identity"
import { BlockStore, emails } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import * as Mails from "../../base/mail/Mails.ts"
import { pusherOf } from "./pushers.ts"

/**
 * Returns the receiver with a confirmed email address; undefined if the user may not read the deployment, wants no
 * emails, or blocks the actor.
 */
const receiverOf = Effect.fnUntraced(function* (user: UserId, repository: Repository, actorId: UserId) {
  const { switches } = yield* SiteSettings
  const [pair] = yield* (yield* EffectiveAccessStore).find([{ user, repository: repository.id }])
  if (pair === undefined || !pair.user.active || pair.user.prohibited || pair.user.system) return undefined
  if (!allows("repository.deployment.read", pairFacts(switches, pair))) return undefined
  if (!wantsNotificationEmail(pair.user.emailNotifications, { because: "author", personal: true })) return undefined
  if ((yield* (yield* BlockStore).blockersOf(actorId, [user])).length > 0) return undefined
  const primary = yield* (yield* emails.store).findBy("primary", { primaryOf: user })
  return primary?.verified === true ? { name: pair.user.name, address: primary.address } : undefined
})

/** Returns the email about a failed deployment. */
const failureEmail = (
  rootUrl: string,
  { name, owner }: Repository,
  { commit, environment }: Deployment,
  { description, logUrl }: DeploymentStatus
): EmailContent => {
  const where = `${owner.name}/${name}`
  const what = `deployment of ${commit.slice(0, 10)} to ${inLine(environment)}`
  return {
    subject: `[${where}] The ${what} failed`,
    paragraphs: [
      `The ${what} failed.`,
      ...(description === "" ? [] : [inLine(description)]),
      ...(logUrl === "" ? [] : [`Log: ${inLine(logUrl)}`])
    ],
    // The creator of a status chooses the address of the log, so the button leads to this site.
    action: { label: "Show the commit", address: `${rootUrl}/${where}/commit/${commit}` },
    reason: `You receive this email because you pushed this commit to ${where}.`
  }
}

/**
 * Queues an email about a failed production deployment to the user who pushed its commit, in the current transaction.
 *
 * No email is sent to a user who may not read the repository now (invariants I7 and I8).
 */
export const notifyPusher = Effect.fnUntraced(function* (
  repository: Repository,
  deployment: Deployment,
  status: DeploymentStatus,
  actorId: UserId
) {
  const { rootUrl } = yield* SiteSettings
  // Without the site's address, an email could link nowhere.
  if (rootUrl === "") return
  const pusher = yield* pusherOf(repository, deployment)
  const to = pusher === undefined ? undefined : yield* receiverOf(pusher, repository, actorId)
  if (to !== undefined) yield* Mails.send([{ to, content: failureEmail(rootUrl, repository, deployment, status) }])
})
