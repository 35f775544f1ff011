import type { AccountUuid } from "../accounts/Account.ts"
import type { TeamId } from "../teams/Team.ts"

/** The outcome of a request in the audit log. */
export type AuditOutcome = "done" | "denied"

/** A record of the audit log: a change of permissions, or a denied request. */
export interface AuditRecord {
  /** The position in the audit log; newer records have larger ids. */
  readonly id: number
  readonly teamId: TeamId
  readonly at: string
  readonly outcome: AuditOutcome
  readonly action: string
  /** The account of the caller; null for a token without one. */
  readonly accountUuid: AccountUuid | null
  readonly tokenUuid: string
  /** The resource in the path of the request; null for actions on the platform. */
  readonly object: string | null
  /** The rule that denied the request, or the change that was made. */
  readonly detail: string
}

/** An audit record before it is stored, without its id. */
export type NewAuditRecord = Omit<AuditRecord, "id">

/** The maximum number of audit records of a team; older records are deleted. */
export const mostAuditRecords = 10_000
