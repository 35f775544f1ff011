import { Schema } from "effect"

/** A team, as Coolify clients expect it: every holder of a token of the instance. */
export interface Team {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** Reports that the team does not exist. */
export class TeamNotFound extends Schema.TaggedError<TeamNotFound>()("TeamNotFound", {}) {}
