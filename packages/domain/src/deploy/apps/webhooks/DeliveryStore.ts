import { Context, type Effect } from "effect"
import type { Window } from "../../../Page.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

import type { Delivery, DeliveryUuid } from "./Delivery.ts"

/** The maximum number of stored webhook deliveries of an application; older deliveries are deleted. */
export const mostDeliveries = 1_000

/**
 * Stores webhook deliveries.
 *
 * Must:
 * - return a delivery as inserted
 * - list only the deliveries of the given application, newest first
 * - keep one delivery per body and application
 * - count the repeated deliveries of a body
 * - return the time when a pull request was closed, from the latest delivery that ended its preview or found none
 * - keep the newest 1,000 deliveries of an application
 * - remove the deliveries of a removed application
 */
export class DeliveryStore extends Context.Service<
  DeliveryStore,
  {
    /** Stores a delivery; false, without a change, if a delivery has the same body or the application is missing. */
    readonly insert: (delivery: Delivery) => Effect.Effect<boolean>
    readonly find: (delivery: DeliveryUuid) => Effect.Effect<Delivery | undefined>
    readonly ofApplication: (
      application: ApplicationUuid,
      window: Omit<Window, "after">
    ) => Effect.Effect<ReadonlyArray<Delivery>>
    /**
     * Returns the time when a pull request of an application was closed, by the clock of the webhook's sender;
     * undefined if no delivery reported this.
     */
    readonly overSince: (application: ApplicationUuid, pullRequestId: number) => Effect.Effect<string | undefined>
    /** Counts a replay of a request body, and returns the first delivery with this body; undefined if there is none. */
    readonly replayed: (
      body: Pick<Delivery, "applicationUuid" | "bodyDigest">,
      at: string
    ) => Effect.Effect<Delivery | undefined>
  }
>()("@slipway/domain/deploy/DeliveryStore") {}
