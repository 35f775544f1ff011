import { Context, type Effect } from "effect"
import type { TeamId } from "../../identity/teams/Team.ts"
import type { ChannelSettings } from "./ChannelSettings.ts"
import type { NotificationChannel } from "./channels.ts"
import type { Notification, NotificationUuid } from "./Notification.ts"

/** A worker's claim of notifications: the worker process, the current time, and the end of its lease. */
interface Turn {
  readonly worker: string
  readonly at: string
  readonly until: string
}

/**
 * Stores the settings of channels, waiting notifications, and conditions that are reported once.
 *
 * A condition is a continuing problem of a resource, such as an unreachable server. Its topic identifies it: a word,
 * `:` and the uuid of the resource.
 *
 * Must:
 * - return the settings of each channel of a team as last written, and none of other teams
 * - let only one transaction lock the settings of the channels of a team at a time
 * - assign each due notification to one worker, the oldest first
 * - reassign a released notification immediately, and all after all leases are released
 * - let only the worker that claimed a notification save or remove it
 * - postpone the waiting notifications of a channel of a team, and no others
 * - keep only the newest waiting notifications of a channel of a team (invariant I25)
 * - discard notifications and conditions of a transaction that fails
 * - report a raised condition once until it is cleared, and a cleared one only if it was raised
 * - remove several conditions together, and no others
 * - report a condition again when it was last reported before a given time
 * - let only one of several concurrent transactions report a condition
 * - forget the conditions of removed resources that were last reported before a given time, and no others
 */
export class TeamNotificationStore extends Context.Service<
  TeamNotificationStore,
  {
    /** Lists the stored channel settings of a team, by channel name. */
    readonly settings: (team: TeamId) => Effect.Effect<ReadonlyArray<ChannelSettings>>
    /** Lists the channel settings of a team, and locks them until the running transaction ends. */
    readonly lock: (team: TeamId) => Effect.Effect<ReadonlyArray<ChannelSettings>>
    readonly write: (settings: ChannelSettings) => Effect.Effect<void>
    /** Adds notifications, and deletes the oldest of each channel above the limit. */
    readonly insert: (notifications: ReadonlyArray<Notification>) => Effect.Effect<void>
    readonly claim: (turn: Turn) => Effect.Effect<Notification | undefined>
    /** Stores the result of an attempt and releases the lease; false if another worker has the lease. */
    readonly save: (notification: Notification, worker: string) => Effect.Effect<boolean>
    /** Postpones the next attempts of a channel's waiting notifications to a time; later attempts stay unchanged. */
    readonly postpone: (team: TeamId, channel: NotificationChannel, dueAt: string) => Effect.Effect<void>
    /** Removes a notification that needs no further attempt; false if another worker has its lease. */
    readonly remove: (notification: NotificationUuid, worker: string) => Effect.Effect<boolean>
    /** Releases the lease of a worker; does nothing if another worker has it. */
    readonly giveBack: (notification: NotificationUuid, worker: string) => Effect.Effect<void>
    /** Releases all leases, which a previous process left; only for a process that uses the store exclusively. */
    readonly endLeases: Effect.Effect<void>
    /** Stores a condition; true if it must be reported: it is new, or was last reported at `before` or earlier. */
    readonly raise: (topic: string, at: string, before: string | null) => Effect.Effect<boolean>
    /** Removes a condition; true if it existed, so that its end must be reported. */
    readonly clear: (topic: string) => Effect.Effect<boolean>
    /** Removes conditions without a report of their end. */
    readonly clearAll: (topics: ReadonlyArray<string>) => Effect.Effect<void>
    /** Removes the conditions of removed resources that were last reported before a time. */
    readonly forget: (before: string) => Effect.Effect<void>
  }
>()("@slipway/domain/deploy/TeamNotificationStore") {}
