import { Schema } from "effect"
import { Uuid } from "../../../Ids.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

import type { DeploymentUuid } from "../../base/ids/DeploymentUuid.ts"
import type { IgnoredReason } from "./decide.ts"
import type { Provider } from "./providers.ts"

/** The uuid of a delivery. */
export const DeliveryUuid = Uuid.pipe(Schema.brand("DeliveryUuid"))
export type DeliveryUuid = typeof DeliveryUuid.Type

/** The result of a webhook delivery: a deployment was queued, a preview was removed, or the event was ignored. */
export const DeliveryOutcome = Schema.Literals(["queued", "removed", "ignored"])
export type DeliveryOutcome = typeof DeliveryOutcome.Type

/** A webhook with a valid signature, as received; missing or unusable fields are null. */
export interface Delivery {
  readonly uuid: DeliveryUuid
  readonly applicationUuid: ApplicationUuid
  readonly provider: Provider
  /** The SHA-256 of its body in hexadecimal digits, which identifies replays. */
  readonly bodyDigest: string
  readonly event: string | null
  /** The delivery id that the sender assigned; it is not covered by the signature. */
  readonly deliveryId: string | null
  readonly branch: string | null
  readonly commit: string | null
  /** The pull request of the event, and the time of the event by the sender's clock. */
  readonly pullRequestId: number | null
  readonly pullRequestAt: string | null
  readonly author: string | null
  readonly message: string | null
  readonly outcome: DeliveryOutcome
  /** Why it was ignored. */
  readonly reason: IgnoredReason | null
  /** The deployment that it queued. */
  readonly deploymentUuid: DeploymentUuid | null
  /** The number of rejected replays of its body. */
  readonly replays: number
  readonly replayedAt: string | null
  readonly receivedAt: string
}

/** Reports that the delivery does not exist. */
export class DeliveryNotFound extends Schema.TaggedError<DeliveryNotFound>()("DeliveryNotFound", {}) {}

/** Reports that a delivery was received before; nothing was changed. */
export class AlreadyDelivered extends Schema.TaggedError<AlreadyDelivered>()("AlreadyDelivered", {
  delivery: DeliveryUuid
}) {}
