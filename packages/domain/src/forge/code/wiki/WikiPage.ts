import { Schema } from "effect"
import type { ObjectId } from "../git/objectIds.ts"
import type { Commit } from "../git/objects.ts"

/** A page of a wiki, without its text. */
export interface WikiPageEntry {
  readonly title: string
  /** The path in the wiki's git repository. */
  readonly path: string
  readonly blob: ObjectId
  /** The commit that last changed it. */
  readonly lastCommit: Commit | undefined
}

/** A page of a wiki with its text. */
export interface WikiPage extends WikiPageEntry {
  readonly bytes: Uint8Array
  /** The number of commits that changed it. */
  readonly commits: number
  /** The source of the sidebar of all pages; empty if there is none. */
  readonly sidebar: Uint8Array
  /** The source of the footer of all pages. */
  readonly footer: Uint8Array
}

/** Reports that a wiki has no such page. */
export class WikiPageNotFound extends Schema.TaggedError<WikiPageNotFound>()("WikiPageNotFound", {
  name: Schema.String
}) {}

/** Reports that a page cannot be written as requested. */
export class WikiPageInvalid extends Schema.TaggedError<WikiPageInvalid>()("WikiPageInvalid", {
  field: Schema.String,
  problem: Schema.String
}) {}
