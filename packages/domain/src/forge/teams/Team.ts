import { Schema } from "effect"
import { nameProblem } from "../names.ts"

/** How long the names of teams may be. Source: decisions, "Names". */
export const longestTeamName = 255

/** Returns what is wrong with the name of a team, or nothing. */
export const teamNameProblem = (name: string): string | undefined => nameProblem(name, longestTeamName)

/** The name of a team, as requests may give one. */
export const TeamName = Schema.String.check(Schema.makeFilter((name: string) => teamNameProblem(name))).pipe(
  Schema.brand("TeamName")
)
export type TeamName = typeof TeamName.Type

/** Reports that a team is given no unit at all. Source: decisions, "Team create without units below admin". */
export class UnitsEmpty extends Schema.TaggedError<UnitsEmpty>()("UnitsEmpty", {}) {}
/** Reports that a field of a team holds a word that means nothing there. */
export class TeamFieldInvalid extends Schema.TaggedError<TeamFieldInvalid>()("TeamFieldInvalid", {
  field: Schema.Literals(["permission", "units", "units_map"]),
  problem: Schema.String
}) {}
