import { Schema } from "effect"

/** The only team of the instance, which Coolify clients expect: every holder of a token belongs to it. */
export interface Team {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** Reports that the team does not exist. */
export class TeamNotFound extends Schema.TaggedError<TeamNotFound>()("TeamNotFound", {}) {}
