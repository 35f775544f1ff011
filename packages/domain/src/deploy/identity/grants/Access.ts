import type { AbilityFacts, AccessFacts } from "../../access/abilities.ts"
import { builtInRoles, type Capability, capabilityFacts } from "../../access/capabilities.ts"
import { rootTeam, type TeamId } from "../teams/Team.ts"
import type { GrantPlace } from "./Grant.ts"

/** A role grant of a caller, with the capabilities of the role. */
export interface HeldGrant {
  readonly teamId: TeamId
  readonly placeType: GrantPlace
  readonly placeUuid: string | null
  readonly capabilities: ReadonlyArray<Capability>
}

/** The teams and grants of a caller. */
export interface Access {
  /** The team that owns new resources, and the default team of requests without a team. */
  readonly teamId: TeamId
  readonly teams: ReadonlyArray<TeamId>
  readonly grants: ReadonlyArray<HeldGrant>
  /** The projects that the token is limited to; null for all. */
  readonly projects: ReadonlyArray<string> | null
}

/** The teams and grants of an account. */
export interface AccountAccess {
  readonly isDisabled: boolean
  /** Whether the account administers the instance, and therefore has the role owner in the root team. */
  readonly isRoot: boolean
  readonly teams: ReadonlyArray<TeamId>
  readonly grants: ReadonlyArray<HeldGrant>
}

/** The access of the platform's own background work: all resources of every team. */
export const everything = "everything"
/** The teams and grants of a caller, or access to everything. */
export type CallerAccess = Access | typeof everything

/** The position of a resource in the hierarchy of team, project and environment; it decides which grants apply. */
export interface Place {
  readonly teamId: TeamId
  readonly project?: string | undefined
  readonly environment?: string | undefined
  /** The application, database or service. */
  readonly resource?: string | undefined
  readonly isProtected?: boolean | undefined
}

/** Returns the access of a team's own token: the role owner in the team, optionally limited to some projects. */
export const ownerAccess = (teamId: TeamId, projects: ReadonlyArray<string> | null = null): Access => ({
  teamId,
  teams: [teamId],
  grants: [{ teamId, placeType: "team", placeUuid: null, capabilities: builtInRoles.owner }],
  projects
})

/**
 * Returns the access of an account. A token of the account is limited to the team `only`; a session has access to all
 * teams of the account.
 *
 * An account that administers the instance is an owner of the root team.
 */
export const accountAccess = (
  { grants, isRoot, teams }: Pick<AccountAccess, "grants" | "isRoot" | "teams">,
  only?: TeamId,
  projects: ReadonlyArray<string> | null = null
): Access => {
  const root = isRoot ? ownerAccess(rootTeam) : undefined
  const isMeant = (teamId: TeamId) => only === undefined || teamId === only
  const all = [...new Set([...(root?.teams ?? []), ...teams])].filter(isMeant)
  const held = [...(root?.grants ?? []), ...grants].filter(({ teamId }) => isMeant(teamId))
  return { teamId: only ?? all[0] ?? rootTeam, teams: all, grants: held, projects }
}

/** Returns the team that owns the resources that a caller creates. */
export const teamOf = (access: CallerAccess): TeamId => (access === everything ? rootTeam : access.teamId)

/**
 * Returns whether a role grant, such as one on a project, applies to a place: it covers everything within the project.
 */
export const covers = ({ placeType, placeUuid, teamId }: HeldGrant, place: Place): boolean => {
  if (teamId !== place.teamId) return false
  switch (placeType) {
    case "team":
      return true
    case "project":
      return place.project === placeUuid
    case "environment":
      return place.environment === placeUuid
    default:
      return place.resource === placeUuid
  }
}

const isHere = ({ placeType }: HeldGrant): boolean => placeType !== "team" && placeType !== "project"

const has = (capability: Capability) => (grant: HeldGrant) => grant.capabilities.includes(capability)

/** The inputs of access rules that come from the grants of a caller on a place. */
export type GrantFacts = Omit<AccessFacts, keyof AbilityFacts | "there">

const unlimited = capabilityFacts.factsOf([builtInRoles.owner])

const nowhere = {
  ...capabilityFacts.factsOf([]),
  known: false,
  operatesHere: false,
  editsInTeam: false,
  isProtected: false
}

/** Returns the inputs of access rules from the grants of a caller on a place; undefined for a resource of no team. */
export const grantFactsOf = (access: CallerAccess, place: Place | undefined): GrantFacts => {
  const isProtected = place?.isProtected === true
  if (access === everything) {
    const whole = { known: true, withinToken: true, operatesHere: true, editsInTeam: true, instance: true }
    return { ...unlimited, ...whole, isProtected }
  }
  const { grants, projects, teams } = access
  const instance = grants.some(
    (grant) => grant.teamId === rootTeam && grant.placeType === "team" && has("ownership")(grant)
  )
  if (place === undefined) return { ...nowhere, withinToken: projects === null, instance }
  const covering = grants.filter((grant) => covers(grant, place))
  return {
    ...capabilityFacts.factsOf(covering.map((grant) => grant.capabilities)),
    known: teams.includes(place.teamId),
    withinToken: projects === null || (place.project !== undefined && projects.includes(place.project)),
    operatesHere: covering.some((grant) => isHere(grant) && has("operate")(grant)),
    editsInTeam: grants.some((grant) => grant.teamId === place.teamId && has("edit")(grant)),
    isProtected,
    instance
  }
}
