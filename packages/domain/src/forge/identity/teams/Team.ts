import { Schema } from "effect"
import type { TeamVisibility } from "../../access/facts/TeamVisibility.ts"
import { everyUnit, type Units } from "../../access/facts/Unit.ts"
import { nameProblem } from "../../base/names/names.ts"
import type { OrganizationId, OrganizationWithMembership } from "../organizations/Organization.ts"

/** The schema of the id of a team. */
export const TeamId = Schema.Int.pipe(Schema.brand("TeamId"))
export type TeamId = typeof TeamId.Type

/** The maximum length of the names of teams. Source: decisions, "Names". */
export const longestTeamName = 255

/** Returns the error message for an invalid team name; undefined if it is valid. */
export const teamNameProblem = (name: string): string | undefined => nameProblem(name, longestTeamName)

/** The schema of the name of a team in a request. */
export const TeamName = Schema.String.check(Schema.makeFilter((name: string) => teamNameProblem(name))).pipe(
  Schema.brand("TeamName")
)
export type TeamName = typeof TeamName.Type

/** The settings of a team that the owners of its organization can change. */
export interface TeamSettings {
  readonly name: string
  readonly description: string
  /**
   * The permission level of the team on each unit (a repository feature, such as code or issues). The API fields
   * `permission`, `units` and `units_map` are derived from it.
   */
  readonly units: Units
  /** Whether the team has access to every repository of its organization, including future ones. */
  readonly includesAllRepositories: boolean
  readonly mayCreateRepositories: boolean
  readonly visibility: TeamVisibility
}

/** A team of an organization. */
export interface Team extends TeamSettings {
  readonly id: TeamId
  readonly organizationId: OrganizationId
  /** Whether this is the Owners team, which every organization has and which cannot be removed. */
  readonly owners: boolean
}

/** A team found by id, with its organization, and whether the caller is a member. */
export interface FoundTeam extends OrganizationWithMembership {
  readonly team: Team
  readonly member: boolean
}

/** The name of the Owners team. */
export const ownersName = "Owners"

/** The settings of the Owners team that a new organization gets. Source: decisions, "Owners team". */
export const ownersTeam: TeamSettings & Pick<Team, "owners"> = {
  name: ownersName,
  description: "",
  units: everyUnit(3),
  includesAllRepositories: true,
  mayCreateRepositories: true,
  visibility: "private",
  owners: true
}

/**
 * Reports that the request would give a team access to no unit (a repository feature, such as code or issues). Source:
 * decisions, "Team create without units below admin".
 */
export class UnitsEmpty extends Schema.TaggedError<UnitsEmpty>()("UnitsEmpty", {}) {}
/** Reports that a field of a team has an invalid value. */
export class TeamFieldInvalid extends Schema.TaggedError<TeamFieldInvalid>()("TeamFieldInvalid", {
  field: Schema.Literals(["permission", "units", "units_map"]),
  problem: Schema.String
}) {}
/** Reports that no team with this id exists. */
export class TeamNotFound extends Schema.TaggedError<TeamNotFound>()("TeamNotFound", { id: TeamId }) {}
/** Reports that no team with this name exists in the organization, or that it is hidden from the caller. */
export class TeamNameUnknown extends Schema.TaggedError<TeamNameUnknown>()("TeamNameUnknown", {
  name: Schema.String
}) {}
/** Reports that the organization already has a team with that name. */
export class TeamNameTaken extends Schema.TaggedError<TeamNameTaken>()("TeamNameTaken", { name: Schema.String }) {}
/** Reports that the name and the visibility of the Owners team cannot be changed. */
export class OwnersTeamFixed extends Schema.TaggedError<OwnersTeamFixed>()("OwnersTeamFixed", {
  field: Schema.Literals(["name", "visibility"])
}) {}
/**
 * Reports that a repository cannot be removed from a team, because the team includes all repositories of its
 * organization.
 */
export class TeamHoldsAll extends Schema.TaggedError<TeamHoldsAll>()("TeamHoldsAll", { name: Schema.String }) {}
