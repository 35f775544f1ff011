import { isBranchName, makeUuid, now, Transaction } from "@slipway/domain"
import type { Application, Pusher, WebhookEvent } from "@slipway/domain/deploy/apps"
import {
  AlreadyDelivered,
  ApplicationStore,
  type Delivery,
  DeliveryStore,
  DeliveryUuid,
  decide,
  type IgnoredReason,
  isWholeCommit,
  PathMatcher,
  PullRequestId,
  providers,
  readEvent
} from "@slipway/domain/deploy/apps"
import { type Authorized, decideAccess } from "@slipway/domain/deploy/entry"
import { Unauthenticated } from "@slipway/domain/deploy/identity"
import { Effect, Schema } from "effect"
import { Digest } from "effect/crypto"
import { actorOf } from "../deliveries/actor.ts"
import type { SignedDelivery } from "../deliveries/SignedDelivery.ts"
import * as Deployments from "../deployments/Deployments.ts"
import { linkOf } from "../forge-links/link.ts"
import { forgetFormer } from "../forge-links/rotateHooks.ts"
import * as Previews from "../previews/Previews.ts"

export { verify } from "../deliveries/SignedDelivery.ts"

const longestLine = 200

/** Returns the first line of a text in a form that the database can store; a long line is truncated. */
const lineOf = (text: string | null | undefined): string | null => {
  const [line = ""] = (text ?? "").trimStart().split(/[\r\n]/, 1)
  const printable = line
    .slice(0, longestLine)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, "")
  return printable.trim() === "" ? null : printable.trim()
}

/** Returns the user who pushed, with a name that the database can store. */
const pusherOf = (pusher: Pusher | null | undefined): Pusher | null => {
  const name = lineOf(pusher?.name)
  return !pusher || name === null ? null : { id: pusher.id, name }
}

const isPullRequestId = Schema.is(PullRequestId)

const factsOf = ({ headers, provider }: SignedDelivery, event: WebhookEvent) => {
  const sending = providers[provider]
  const push = event._tag === "Push" ? event : undefined
  const request = event._tag === "PullRequest" ? event : undefined
  const [branch = "", commit = ""] = [push?.branch ?? request?.head, push?.commit ?? request?.commit ?? ""]
  return {
    event: lineOf(headers[sending.event]),
    deliveryId: lineOf(sending.delivery.map((name) => headers[name]).find((id) => id !== undefined)),
    branch: isBranchName(branch) ? branch : null,
    commit: isWholeCommit(commit) && push?.deleted !== true ? commit : null,
    pullRequestId: isPullRequestId(request?.number) ? request.number : null,
    pullRequestAt: request?.at ?? null,
    author: lineOf(push?.author),
    message: lineOf(push?.message)
  }
}

/** Returns whether an event is outdated because its pull request closed later; deliveries can arrive out of order. */
const isOvertaken = Effect.fnUntraced(function* (application: Application, event: WebhookEvent) {
  if (event._tag !== "PullRequest" || event.at === null) return false
  const over = yield* (yield* DeliveryStore).overSince(application.uuid, event.number)
  return over !== undefined && event.at <= over
})

const outcomeOf = Effect.fnUntraced(function* (
  delivery: SignedDelivery,
  application: Application,
  event: WebhookEvent
) {
  const ignored = (reason: IgnoredReason) => ({ outcome: "ignored", deploymentUuid: null, reason }) as const
  const linked = yield* linkOf(application)
  if (linked !== undefined && linked.forge.connection.rejection !== null) return ignored("disconnected")
  const decision = decide(application, event, yield* PathMatcher)
  if (decision._tag === "Ignore") return ignored(decision.reason)
  if (decision._tag === "EndPreview") {
    const wasThere = yield* Previews.closePreview(delivery, application, decision.pullRequestId)
    return wasThere ? ({ outcome: "removed", deploymentUuid: null, reason: null } as const) : ignored("no_preview")
  }
  if (decision._tag === "Preview" && (yield* isOvertaken(application, event))) return ignored("pull_request_over")
  const actor = yield* actorOf(application)
  if (actor === undefined || !decideAccess(actor, "application.deploy.request", { application }).allowed) {
    return ignored("owner_not_allowed")
  }
  const push = event._tag === "Push" ? event : undefined
  const queued =
    decision._tag === "Preview"
      ? Previews.updatePreview(delivery, actor, application, decision)
      : Deployments.queuePushed(delivery, actor, application, {
          commit: decision.commit,
          message: lineOf(push?.message),
          // A user who knows the secret can sign a payload that names another person.
          pusher: delivery.isFromForge ? pusherOf(push?.pusher) : null
        })
  return yield* (yield* Transaction).attempt(queued).pipe(
    Effect.map(({ uuid }) => ({ outcome: "queued", deploymentUuid: uuid, reason: null }) as const),
    Effect.catchTags({
      QueueFull: () => Effect.succeed(ignored("queue_full")),
      ServerHandedOver: () => Effect.succeed(ignored("server_in_transfer")),
      TooManyPreviews: () => Effect.succeed(ignored("previews_full")),
      DomainConflicts: () => Effect.succeed(ignored("preview_domain_taken")),
      InvalidInput: () => Effect.succeed(ignored("preview_refused"))
    })
  )
})

/**
 * Processes a signed webhook delivery and records its result, in one transaction.
 *
 * Rejects a body that was received before, even with another delivery id or provider, because the signature does not
 * cover these two.
 */
export const receive = Effect.fnUntraced(function* (delivery: SignedDelivery) {
  const transaction = yield* Transaction
  const { applicationUuid, body, headers, provider } = delivery
  const bodyDigest = yield* Effect.orDie((yield* Digest.Digest).digestHex(Digest.sha256, body))
  const at = yield* now
  const accepted = yield* transaction.run(
    Effect.gen(function* () {
      // Of two concurrent deliveries with the same body, the second waits here and finds the first.
      const application = yield* (yield* ApplicationStore).lock(applicationUuid)
      if (application === undefined) return yield* new Unauthenticated()
      // Only the secret of a connected forge is rotated, so only its deliveries prove the new one.
      if (delivery.isPresent && provider === "gitea") yield* forgetFormer(application)
      const store = yield* DeliveryStore
      const earlier = yield* store.replayed({ applicationUuid, bodyDigest }, at)
      if (earlier !== undefined) return { isNew: false, row: earlier }
      const event = readEvent(
        {
          provider,
          event: headers[providers[provider].event] ?? "",
          contentType: headers["content-type"] ?? "",
          body
        },
        application.configuration.git_branch ?? ""
      )
      const row: Delivery = {
        ...factsOf(delivery, event),
        ...(yield* outcomeOf(delivery, application, event)),
        uuid: yield* makeUuid(DeliveryUuid),
        applicationUuid,
        provider,
        bodyDigest,
        replays: 0,
        replayedAt: null,
        receivedAt: at
      }
      if (!(yield* store.insert(row))) return yield* Effect.die(new Error("a delivery could not be stored"))
      return { isNew: true, row }
    })
  )
  // Outside the transaction, which must store the replay count.
  return accepted.isNew ? accepted.row : yield* new AlreadyDelivered({ delivery: accepted.row.uuid })
})

/** Lists the webhook deliveries of an application, newest first. */
export const ofApplication = Effect.fnUntraced(function* (
  { resource }: Authorized<"delivery.list">,
  skip: number,
  limit: number
) {
  return yield* (yield* DeliveryStore).ofApplication(resource.application.uuid, { skip, limit })
})
