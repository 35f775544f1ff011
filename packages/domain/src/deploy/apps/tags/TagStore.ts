import { Context, type Effect } from "effect"
import type { Collection, New } from "../../../Collection.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

import type { Tag, TagUuid } from "./Tag.ts"

/**
 * Keeps tags and which applications have them.
 *
 * Must:
 * - make only the tags whose names are new, ignoring case, and answer with those of all names
 * - attach a tag to an application once, however often it is asked
 * - list the tags of an application by name
 * - detach a tag, and tell when it wasn't attached
 */
export class TagStore extends Context.Service<
  TagStore,
  Collection<Tag> & {
    readonly ensure: (tags: ReadonlyArray<New<Tag>>) => Effect.Effect<ReadonlyArray<Tag>>
    readonly ofApplication: (application: ApplicationUuid) => Effect.Effect<ReadonlyArray<Tag>>
    readonly attach: (application: ApplicationUuid, tags: ReadonlyArray<TagUuid>) => Effect.Effect<void>
    readonly detach: (application: ApplicationUuid, tag: TagUuid) => Effect.Effect<boolean>
  }
>()("@slipway/domain/deploy/TagStore") {}
