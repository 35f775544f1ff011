import { Context, type Effect } from "effect"
import type { New } from "../../../Collection.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import type { VisibleCollection } from "../../identity/grants/Visible.ts"
import type { Tag, TagUuid } from "./Tag.ts"

/**
 * Stores tags, and the applications and databases that have them.
 *
 * Databases are named by their owner id (`ownerOf`).
 *
 * Must:
 * - create only tags with new names in a team, ignoring case, and return the tags of all given names
 * - attach a tag to an application once, even if requested repeatedly
 * - list the tags of an application by name
 * - detach a tag, and report when it was not attached
 * - attach tags to databases in the same way, without listing these as tagged applications
 */
export class TagStore extends Context.Service<
  TagStore,
  VisibleCollection<Tag> & {
    /**
     * Creates the tags with names that are new in the team, and returns the tags of all given names. All tags must belong
     * to one team.
     */
    readonly ensure: (tags: ReadonlyArray<New<Tag>>) => Effect.Effect<ReadonlyArray<Tag>>
    readonly ofApplication: (application: ApplicationUuid) => Effect.Effect<ReadonlyArray<Tag>>
    readonly attach: (application: ApplicationUuid, tags: ReadonlyArray<TagUuid>) => Effect.Effect<void>
    readonly detach: (application: ApplicationUuid, tag: TagUuid) => Effect.Effect<boolean>
  }
>()("@slipway/domain/deploy/TagStore") {}
