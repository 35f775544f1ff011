import type { Authorized } from "@slipway/domain/deploy/entry"
import { type AuditQuery, AuditStore } from "@slipway/domain/deploy/identity"
import { Effect } from "effect"

/** Lists the audit records of a team, newest first. */
export const list = Effect.fnUntraced(function* (
  { resource }: Authorized<"team.audit">,
  query: Omit<AuditQuery, "teamId">
) {
  return yield* (yield* AuditStore).list({ ...query, teamId: resource.team.id })
})
