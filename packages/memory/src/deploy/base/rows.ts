import type { ClaimantType, DomainKey, PendingReport, TagUuid } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import type { AccountUuid, Team } from "@slipway/domain/deploy/identity"
import type { Notification, ServerUuid } from "@slipway/domain/deploy/infrastructure"

/** The claim of a resource on a domain. */
export interface ClaimRow {
  readonly id: number
  readonly key: DomainKey
  readonly type: ClaimantType
  readonly uuid: string | null
}

/** A row that assigns a tag to an application or a database. */
export interface TaggingRow {
  readonly id: number
  readonly application: ApplicationUuid
  /** The number of the application, which sorts the applications of a tag. Null for a database. */
  readonly place: number | null
  readonly tag: TagUuid
}

/**
 * A report of a deployment state that is still to be sent to a forge (code hosting service), with the lease of the
 * worker that sends it.
 */
export interface PendingReportRow extends PendingReport {
  readonly id: number
  readonly claimedBy: string | null
  readonly leaseUntil: string | null
}

/** A notification that is still to be sent, with the lease of the worker that sends it. */
export interface NotificationRow extends Notification {
  readonly id: number
  readonly claimedBy: string | null
  readonly leaseUntil: string | null
}

/** A problem that a notification has reported, such as a full disk, so that it is not reported again. */
export interface ConditionRow {
  readonly id: number
  readonly topic: string
  readonly reportedAt: string
}

/** The SSH host key that a server presented at the first connection to one of its addresses. */
export interface HostKeyRow {
  readonly id: number
  readonly server: ServerUuid
  readonly address: string
  readonly fingerprint: string
}

/** The SSH host key that a git server presented at the first connection. */
export interface RepositoryHostKeyRow {
  readonly id: number
  readonly address: string
  readonly fingerprint: string
}

/** The hash of the password of an account. */
export interface PasswordRow {
  readonly id: number
  readonly accountUuid: AccountUuid
  readonly hash: string
}

/** The hash of a `state` parameter of an OAuth sign-in that was used. Each state is accepted once. */
export interface UsedStateRow {
  readonly id: number
  readonly hash: string
  readonly expiresAt: string
}

/** A team. The id of the row is the id of the team plus one, because row ids start at 1. */
export interface TeamRow {
  readonly id: number
  readonly team: Team
}
