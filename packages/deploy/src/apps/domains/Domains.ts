import type { DomainAddress } from "@slipway/domain/deploy/apps"
import {
  type Claim,
  type Claimant,
  claimOf,
  DomainStore,
  PlacementStore,
  type ProxyListening,
  ProxyPorts
} from "@slipway/domain/deploy/apps"
import { rootTeam, type TeamId } from "@slipway/domain/deploy/identity"
import { Effect, Schema } from "effect"

/** A domain that another resource already uses (spec "Domain conflict record"). */
export const DomainConflict = Schema.Struct({
  domain: Schema.String,
  resourceName: Schema.String,
  resourceUuid: Schema.NullOr(Schema.String),
  resourceType: Schema.Literals(["application", "service", "instance"])
})
export type DomainConflict = typeof DomainConflict.Type

/** The error of a request for domains that other resources use, if the request does not set the override option. */
export class DomainConflicts extends Schema.TaggedError<DomainConflicts>()("DomainConflicts", {
  conflicts: Schema.Array(DomainConflict)
}) {}

const holds = (claim: Claim, holder: Claimant) => claim.holder.type === holder.type && claim.holder.uuid === holder.uuid

const keysOf = (addresses: ReadonlyArray<DomainAddress>, ports: ProxyListening) =>
  [...new Set(addresses.map((address) => claimOf(address, ports)))].sort()

/** Returns the conflicts of addresses with the domain claims of other resources; for each, only the oldest claim. */
export const conflictsOf = (
  holder: Claimant,
  addresses: ReadonlyArray<DomainAddress>,
  claims: ReadonlyArray<Claim>,
  ports: ProxyListening
): ReadonlyArray<DomainConflict> =>
  addresses.flatMap((address) => {
    const key = claimOf(address, ports)
    const other = claims.find((claim) => claim.key === key && !holds(claim, holder))
    return other === undefined
      ? []
      : [
          {
            domain: address.written,
            resourceName: other.holderName,
            resourceUuid: other.holder.uuid,
            resourceType: other.holder.type
          }
        ]
  })

/** Returns the conflicts of the new addresses of a resource with the domain claims of other resources. */
export const findConflicts = Effect.fnUntraced(function* (holder: Claimant, addresses: ReadonlyArray<DomainAddress>) {
  const ports = yield* ProxyPorts
  const claims = yield* (yield* DomainStore).claims(keysOf(addresses, ports))
  const mine = new Set(claims.filter((claim) => holds(claim, holder)).map((claim) => claim.key))
  return conflictsOf(
    holder,
    addresses.filter((address) => !mine.has(claimOf(address, ports))),
    claims,
    ports
  )
})

/** Returns the conflicts with resources of other teams, without their names, because the caller may not see them. */
const foreignConflicts = Effect.fnUntraced(function* (conflicts: ReadonlyArray<DomainConflict>, teamId: TeamId) {
  const uuids = conflicts.flatMap(({ resourceUuid }) => resourceUuid ?? [])
  const places = yield* (yield* PlacementStore).places(uuids)
  const teamOf = ({ resourceUuid }: DomainConflict) =>
    resourceUuid === null ? rootTeam : places.get(resourceUuid)?.place.teamId
  return new Map(
    conflicts
      .filter((conflict) => teamOf(conflict) !== teamId)
      .map((conflict) => [conflict, { ...conflict, resourceName: "(another team)", resourceUuid: null }])
  )
})

/**
 * Locks domains for a resource of a team until the running transaction ends.
 *
 * Fails with the conflicts if another resource uses one of the domains. With `override`, a team may share domains
 * between its own resources, and the instance (without a team) may share them with the resources of all teams.
 */
export const reserve = Effect.fnUntraced(function* (
  holder: Claimant,
  addresses: ReadonlyArray<DomainAddress>,
  override: boolean,
  teamId: TeamId | undefined
) {
  if (addresses.length === 0) return
  yield* (yield* DomainStore).lock(keysOf(addresses, yield* ProxyPorts))
  if (override && teamId === undefined) return
  const conflicts = yield* findConflicts(holder, addresses)
  if (conflicts.length === 0) return
  const foreign = teamId === undefined ? new Map() : yield* foreignConflicts(conflicts, teamId)
  const refused = conflicts.flatMap((conflict) => foreign.get(conflict) ?? (override ? [] : [conflict]))
  if (refused.length > 0) return yield* new DomainConflicts({ conflicts: refused })
})

/** Replaces the domain claims of a resource by claims of these addresses. */
export const hold = Effect.fnUntraced(function* (holder: Claimant, addresses: ReadonlyArray<DomainAddress>) {
  yield* (yield* DomainStore).replace(holder, keysOf(addresses, yield* ProxyPorts))
})
