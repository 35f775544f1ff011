import type { ClaimantType, DomainKey, PendingReport, TagUuid } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import type { AccountUuid, Team } from "@slipway/domain/deploy/identity"
import type { Notification, ServerUuid } from "@slipway/domain/deploy/infrastructure"

/** A claimed domain. */
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
  /** The number of the application; the applications of a tag are listed in this order. Null for a database. */
  readonly place: number | null
  readonly tag: TagUuid
}

/** A pending report with the worker that claimed it. */
export interface PendingReportRow extends PendingReport {
  readonly id: number
  readonly claimedBy: string | null
  readonly leaseUntil: string | null
}

/** A waiting notification with the worker that claimed it. */
export interface NotificationRow extends Notification {
  readonly id: number
  readonly claimedBy: string | null
  readonly leaseUntil: string | null
}

/** A condition that was reported. */
export interface ConditionRow {
  readonly id: number
  readonly topic: string
  readonly reportedAt: string
}

/** The SSH host key from the first connection to an address of a server. */
export interface HostKeyRow {
  readonly id: number
  readonly server: ServerUuid
  readonly address: string
  readonly fingerprint: string
}

/** The SSH host key from the first connection to a machine with repositories. */
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

/** A used state of a sign-in at a provider. */
export interface UsedStateRow {
  readonly id: number
  readonly hash: string
  readonly expiresAt: string
}

/** A team; the number of its row is one more than its own. */
export interface TeamRow {
  readonly id: number
  readonly team: Team
}
