import { Context, type Effect } from "effect"
import type { TeamId } from "../teams/Team.ts"
import type { AuditOutcome, AuditRecord, NewAuditRecord } from "./AuditRecord.ts"

/** The filter of an audit log query, and the page: the newest `limit` records with an id below `before`. */
export interface AuditQuery {
  readonly teamId: TeamId
  readonly before?: number | undefined
  readonly outcome?: AuditOutcome | undefined
  readonly limit: number
}

/**
 * Stores the audit log.
 *
 * Must:
 * - list only records of the given team, the newest first
 * - list only records with the given outcome
 * - keep only the newest records of each team
 */
export class AuditStore extends Context.Service<
  AuditStore,
  {
    /** Appends a record, and removes all but the newest `maxRecords` records of its team. */
    readonly append: (record: NewAuditRecord, maxRecords: number) => Effect.Effect<void>
    readonly list: (query: AuditQuery) => Effect.Effect<ReadonlyArray<AuditRecord>>
  }
>()("@slipway/domain/deploy/AuditStore") {}
