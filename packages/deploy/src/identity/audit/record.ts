import { now } from "@slipway/domain"
import type { Caller } from "@slipway/domain/deploy/entry"
import { type AuditOutcome, AuditStore, mostAuditRecords, type TeamId } from "@slipway/domain/deploy/identity"
import { Effect } from "effect"

/** The details of an audit record: the action, the resource and the team. */
export interface Audited {
  readonly teamId: TeamId
  readonly action: string
  readonly object: string | null
  readonly detail: string
}

/** Appends a record to the audit log, within the transaction of the change that the record describes. */
export const record = Effect.fnUntraced(function* (caller: Caller, outcome: AuditOutcome, audited: Audited) {
  const { accountUuid, tokenUuid } = caller
  yield* (yield* AuditStore).append({ ...audited, at: yield* now, outcome, accountUuid, tokenUuid }, mostAuditRecords)
})
