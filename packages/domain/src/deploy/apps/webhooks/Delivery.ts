import { Schema } from "effect"
import { Uuid } from "../../../Ids.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

import type { DeploymentUuid } from "../../base/ids/DeploymentUuid.ts"
import type { IgnoredReason } from "./decide.ts"
import type { Provider } from "./providers.ts"

/** The uuid of a webhook delivery. */
export const DeliveryUuid = Uuid.pipe(Schema.brand("DeliveryUuid"))
export type DeliveryUuid = typeof DeliveryUuid.Type

/** The result of a webhook delivery: a deployment was queued, a preview was removed, or the event was ignored. */
export const DeliveryOutcome = Schema.Literals(["queued", "removed", "ignored"])
export type DeliveryOutcome = typeof DeliveryOutcome.Type

/** A received webhook request with a valid signature; fields that are missing or invalid in its payload are null. */
export interface Delivery {
  readonly uuid: DeliveryUuid
  readonly applicationUuid: ApplicationUuid
  readonly provider: Provider
  /** The SHA-256 of the request body in hexadecimal digits, which identifies replays. */
  readonly bodyDigest: string
  readonly event: string | null
  /** The delivery id that the sender assigned; the signature does not protect it, so it must not identify replays. */
  readonly deliveryId: string | null
  readonly branch: string | null
  readonly commit: string | null
  /** The number of the pull request of the event; `pullRequestAt` is the time of the event by the sender's clock. */
  readonly pullRequestId: number | null
  readonly pullRequestAt: string | null
  readonly author: string | null
  readonly message: string | null
  readonly outcome: DeliveryOutcome
  /** The reason why the delivery was ignored; null if it was not. */
  readonly reason: IgnoredReason | null
  /** The deployment that the delivery queued; null if it queued none. */
  readonly deploymentUuid: DeploymentUuid | null
  /** The number of rejected replays, which are requests with the same body. */
  readonly replays: number
  readonly replayedAt: string | null
  readonly receivedAt: string
}

/** Reports that the webhook delivery does not exist. */
export class DeliveryNotFound extends Schema.TaggedError<DeliveryNotFound>()("DeliveryNotFound", {}) {}

/** Reports that a webhook request repeats the earlier `delivery`; the repetition changed nothing. */
export class AlreadyDelivered extends Schema.TaggedError<AlreadyDelivered>()("AlreadyDelivered", {
  delivery: DeliveryUuid
}) {}
