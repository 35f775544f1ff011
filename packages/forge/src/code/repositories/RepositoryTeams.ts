import type { PageRequest } from "@slipway/domain"
import { NoOrganization, type Repository } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import type { Actor } from "@slipway/domain/forge/identity"
import {
  OrganizationNotFound,
  OrganizationStore,
  type Team,
  TeamHoldsAll,
  type TeamInOrganization,
  TeamNameUnknown,
  TeamStore
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { isListedTeam } from "../../identity/teams/isListedTeam.ts"
import { inOrganization } from "../../identity/teams/Teams.ts"

const organizationOf = Effect.fnUntraced(function* ({ owner }: Repository) {
  if (owner.kind !== "organization") return yield* new NoOrganization()
  return (yield* (yield* OrganizationStore).find(owner.id)) ?? (yield* new OrganizationNotFound({ name: owner.name }))
})

/** Lists the teams with access to a repository that the caller sees; none if a user owns the repository. */
export const list = Effect.fnUntraced(function* (
  { resource: { actor, repository } }: Proof<"repository.team.list">,
  page: PageRequest
) {
  if (repository.owner.kind !== "organization") return { rows: [], total: 0 }
  const organization = yield* organizationOf(repository)
  const { rows, ...rest } = yield* (yield* TeamStore).ofRepository(actor, repository.id, page)
  return { ...rest, rows: rows.map((team): TeamInOrganization => ({ team, organization })) }
})

/**
 * Finds a team of the organization by name, if the caller sees the team (invariants I6 and I9). With `hiddenToo`,
 * hidden teams are found as well.
 */
const namedTeam = Effect.fnUntraced(function* (actor: Actor, repository: Repository, name: string, hiddenToo: boolean) {
  const organization = yield* organizationOf(repository)
  const team = yield* (yield* TeamStore).named(organization.id, name)
  const found = team !== undefined && (hiddenToo || (yield* isListedTeam(actor, organization, team)))
  return yield* found ? Effect.succeed({ team, organization }) : new TeamNameUnknown({ name })
})

/** Reads a team with access to a repository. A team without access is reported as missing. */
export const check = Effect.fnUntraced(function* (
  { resource: { actor, repository } }: Proof<"repository.team.check">,
  name: string
) {
  const found = yield* namedTeam(actor, repository, name, false)
  if (!(yield* (yield* TeamStore).holds(found.team.id, repository.id))) return yield* new TeamNameUnknown({ name })
  return found
})

/** Adds or removes a team's access to a repository, in a transaction. */
const change = Effect.fnUntraced(function* <A, E, R>(
  { resource }: Proof<"repository.team.add"> | Proof<"repository.team.remove">,
  name: string,
  act: (team: Team) => Effect.Effect<A, E, R>
) {
  const { actor, repository } = resource
  // Managers of team access may name any team, so they may learn that a name exists.
  const { organization, team } = yield* namedTeam(actor, repository, name, true)
  return yield* inOrganization(organization, act(team))
})

/** Grants a team access to a repository. */
export const add = audited(
  (proof: Proof<"repository.team.add">, name: string) =>
    change(
      proof,
      name,
      Effect.fnUntraced(function* (team) {
        const added = yield* (yield* TeamStore).addRepository(team.id, proof.resource.repository.id)
        if (!added) return yield* new TeamNameUnknown({ name })
      })
    ),
  (_, name) => ({ details: { team: name } })
)

/** Revokes a team's access to a repository. Fails for a team that includes all repositories of the organization. */
export const remove = audited(
  (proof: Proof<"repository.team.remove">, name: string) =>
    change(
      proof,
      name,
      Effect.fnUntraced(function* (team) {
        const teams = yield* TeamStore
        if (!(yield* teams.holds(team.id, proof.resource.repository.id))) return yield* new TeamNameUnknown({ name })
        if (team.includesAllRepositories) return yield* new TeamHoldsAll({ name: team.name })
        yield* teams.removeRepository(team.id, proof.resource.repository.id)
      })
    ),
  (_, name) => ({ details: { team: name } })
)
