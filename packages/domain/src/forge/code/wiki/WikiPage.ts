import { Schema } from "effect"
import type { ObjectId } from "../git/objectIds.ts"
import type { Commit } from "../git/objects.ts"

/** A page of a wiki, without its text. */
export interface WikiPageEntry {
  readonly title: string
  /** The path in the wiki's git repository. */
  readonly path: string
  readonly blob: ObjectId
  /** The commit that last changed the page. */
  readonly lastCommit: Commit | undefined
}

/** A page of a wiki with its text. */
export interface WikiPage extends WikiPageEntry {
  readonly bytes: Uint8Array
  /** The number of commits that changed the page. */
  readonly commits: number
  /** The source text of the sidebar, which all pages share; empty if there is none. */
  readonly sidebar: Uint8Array
  /** The source text of the footer, which all pages share; empty if there is none. */
  readonly footer: Uint8Array
}

/** Reports that a wiki has no such page. */
export class WikiPageNotFound extends Schema.TaggedError<WikiPageNotFound>()("WikiPageNotFound", {
  name: Schema.String
}) {}

/** Reports that a wiki page cannot be written as requested, with the reason. */
export class WikiPageInvalid extends Schema.TaggedError<WikiPageInvalid>()("WikiPageInvalid", {
  field: Schema.String,
  problem: Schema.String
}) {}
