import type { AbilityFacts, AccessFacts } from "../../access/abilities.ts"
import { builtInRoles, type Capability, capabilityFacts } from "../../access/capabilities.ts"
import { rootTeam, type TeamId } from "../teams/Team.ts"
import type { GrantPlace } from "./Grant.ts"

/** A grant with the capabilities of its role. */
export interface HeldGrant {
  readonly teamId: TeamId
  readonly placeType: GrantPlace
  readonly placeUuid: string | null
  readonly capabilities: ReadonlyArray<Capability>
}

/** The teams and grants of a caller. */
export interface Access {
  /** The team of new resources, and of requests that name none. */
  readonly teamId: TeamId
  readonly teams: ReadonlyArray<TeamId>
  readonly grants: ReadonlyArray<HeldGrant>
  /** The projects that the token is limited to; null for all. */
  readonly projects: ReadonlyArray<string> | null
}

/** The teams and grants of an account. */
export interface AccountAccess {
  readonly isDisabled: boolean
  /** Whether the account administers the instance, and so owns the root team. */
  readonly isRoot: boolean
  readonly teams: ReadonlyArray<TeamId>
  readonly grants: ReadonlyArray<HeldGrant>
}

/** The access of the platform itself, to the resources of every team. */
export const everything = "everything"
/** The teams and grants of a caller, or access to everything. */
export type CallerAccess = Access | typeof everything

/** The position of a resource below its team. */
export interface Place {
  readonly teamId: TeamId
  readonly project?: string | undefined
  readonly environment?: string | undefined
  /** The application, database or service. */
  readonly resource?: string | undefined
  readonly isProtected?: boolean | undefined
}

/** Returns the access of a token without an account: it owns its team. */
export const ownerAccess = (teamId: TeamId, projects: ReadonlyArray<string> | null = null): Access => ({
  teamId,
  teams: [teamId],
  grants: [{ teamId, placeType: "team", placeUuid: null, capabilities: builtInRoles.owner }],
  projects
})

/**
 * Returns the access of an account: in one team for a token, else in all of its teams.
 *
 * An account that administers the instance owns the root team.
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

/** Returns the team of new resources of a caller. */
export const teamOf = (access: CallerAccess): TeamId => (access === everything ? rootTeam : access.teamId)

/** Returns whether a grant covers a place: it inherits downwards only. */
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

/** The facts about the grants of a caller on a place. */
export type GrantFacts = Omit<AccessFacts, keyof AbilityFacts | "there">

const unlimited = capabilityFacts.factsOf([builtInRoles.owner])

/** Returns the facts about the grants of a caller on a place; without one, the resource is of no team. */
export const grantFactsOf = (access: CallerAccess, place: Place | undefined): GrantFacts => {
  const isProtected = place?.isProtected === true
  if (access === everything) {
    const whole = { known: true, withinToken: true, operatesHere: true, editsInTeam: true, instance: true }
    return { ...unlimited, ...whole, isProtected }
  }
  const { grants, projects, teams } = access
  const covering = place === undefined ? [] : grants.filter((grant) => covers(grant, place))
  return {
    ...capabilityFacts.factsOf(covering.map((grant) => grant.capabilities)),
    known: place !== undefined && teams.includes(place.teamId),
    withinToken: projects === null || (place?.project !== undefined && projects.includes(place.project)),
    operatesHere: covering.some((grant) => isHere(grant) && has("operate")(grant)),
    editsInTeam: place !== undefined && grants.some((grant) => grant.teamId === place.teamId && has("edit")(grant)),
    isProtected,
    instance: grants.some((grant) => grant.teamId === rootTeam && grant.placeType === "team" && has("ownership")(grant))
  }
}
