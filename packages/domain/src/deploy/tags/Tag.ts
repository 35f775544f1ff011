import { Schema } from "effect"
import type { Entity } from "../../Collection.ts"
import { Uuid } from "../../Ids.ts"

/** The uuid of a tag. */
export const TagUuid = Uuid.pipe(Schema.brand("TagUuid"))
export type TagUuid = typeof TagUuid.Type

/** A word by which applications are found; it is the only one of its name, ignoring case. */
export interface Tag extends Entity {
  readonly uuid: TagUuid
  readonly name: string
}

/** Reports that the application has no such tag. */
export class TagNotFound extends Schema.TaggedError<TagNotFound>()("TagNotFound", {}) {}
