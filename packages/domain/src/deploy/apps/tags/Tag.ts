import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { TeamId } from "../../identity/teams/Team.ts"
import { line, nonEmpty } from "../fields/field.ts"

/** The uuid of a tag. */
export const TagUuid = Uuid.pipe(Schema.brand("TagUuid"))
export type TagUuid = typeof TagUuid.Type

/** A label by which applications, services and databases are found. Its name is unique in the team, ignoring case. */
export interface Tag extends Entity {
  readonly uuid: TagUuid
  readonly teamId: TeamId
  readonly name: string
}

/** The schema of the name of a tag. */
export const TagName = nonEmpty(line(100))

/** The schema of a list of tag names for one resource. */
export const TagNames = Schema.Array(TagName).check(
  Schema.isMaxLength(50, { message: "Must have at most 50 entries." })
)

/** The error for a tag that does not exist or that the resource does not have. */
export class TagNotFound extends Schema.TaggedError<TagNotFound>()("TagNotFound", {}) {}
