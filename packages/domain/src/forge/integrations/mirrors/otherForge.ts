import { DateTime, type Effect, Option, Schema } from "effect"
import type { RemoteFailed } from "./GitRemotes.ts"

const longestText = 262_144

/** Returns the schema of an object field that may be null or missing. */
export const opt = <S extends Schema.Top>(schema: S) => Schema.optional(Schema.NullOr(schema))
/** The schema of a text field that may be null or missing. */
export const Text = opt(Schema.String)

const Person = Schema.Struct({ id: Schema.Int, login: Schema.String })

/** A file of a release, an issue or a comment at another host, in the form that all supported APIs are converted to. */
export const OtherFile = Schema.Struct({
  name: Schema.String,
  browser_download_url: Text,
  /** The API URL of the file's bytes; it requires read access to the repository. */
  url: Text,
  /** The type of the file; `external` if it is stored at another URL. */
  type: Text,
  created_at: Text
})
export type OtherFile = typeof OtherFile.Type

/** A label at another host. */
export const OtherLabel = Schema.Struct({
  name: Schema.String,
  color: Schema.String,
  description: Text,
  exclusive: opt(Schema.Boolean),
  is_archived: opt(Schema.Boolean)
})
export type OtherLabel = typeof OtherLabel.Type

/** A milestone at another host. */
export const OtherMilestone = Schema.Struct({
  title: Schema.String,
  description: Text,
  state: Schema.Literals(["open", "closed"]),
  due_on: Text,
  closed_at: Text,
  created_at: Text,
  updated_at: Text
})
export type OtherMilestone = typeof OtherMilestone.Type

/** An issue or a pull request at another host. */
export const OtherIssue = Schema.Struct({
  id: Schema.Int,
  number: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000_000 })),
  title: Schema.String,
  body: Text,
  state: Schema.Literals(["open", "closed"]),
  comments: opt(Schema.Int),
  content_version: opt(Schema.Int),
  assets: opt(Schema.Array(OtherFile)),
  user: opt(Person),
  original_author: Text,
  original_author_id: opt(Schema.Int),
  ref: Text,
  labels: opt(Schema.Array(Schema.Struct({ name: Schema.String }))),
  milestone: opt(Schema.Struct({ title: Schema.String })),
  is_locked: opt(Schema.Boolean),
  locked: opt(Schema.Boolean),
  due_date: Text,
  closed_at: Text,
  created_at: Text,
  updated_at: Text,
  pull_request: opt(Schema.Struct({ merged_at: Text }))
})
export type OtherIssue = typeof OtherIssue.Type

const Side = Schema.Struct({
  ref: Schema.String,
  sha: Text,
  repo_id: opt(Schema.Int),
  repo: opt(Schema.Struct({ id: Schema.Int, owner: opt(Schema.Struct({ login: Schema.String })) }))
})

/** The fields that a pull request at another host has in addition to its issue. */
export const OtherPull = Schema.Struct({
  number: Schema.Int,
  head: Side,
  base: Side,
  merged_at: Text,
  merge_commit_sha: Text,
  merge_base: Text,
  allow_maintainer_edit: opt(Schema.Boolean)
})
export type OtherPull = typeof OtherPull.Type

/** A comment at another host. */
export const OtherComment = Schema.Struct({
  id: Schema.Int,
  body: Text,
  assets: opt(Schema.Array(OtherFile)),
  user: opt(Person),
  original_author: Text,
  original_author_id: opt(Schema.Int),
  issue_url: Text,
  pull_request_url: Text,
  created_at: Text,
  updated_at: Text
})
export type OtherComment = typeof OtherComment.Type

/** A release at another host. */
export const OtherRelease = Schema.Struct({
  tag_name: Schema.String,
  target_commitish: Text,
  name: Text,
  body: Text,
  draft: opt(Schema.Boolean),
  prerelease: opt(Schema.Boolean),
  assets: opt(Schema.Array(OtherFile)),
  created_at: Text,
  published_at: Text
})
export type OtherRelease = typeof OtherRelease.Type

/** A review at another host. */
export const OtherReview = Schema.Struct({
  id: Schema.Int,
  state: Schema.String,
  body: Text,
  commit_id: Text,
  dismissed: opt(Schema.Boolean),
  comments_count: opt(Schema.Int),
  submitted_at: Text,
  updated_at: Text
})
export type OtherReview = typeof OtherReview.Type

/** A review comment on a line at another host. */
export const OtherLineComment = Schema.Struct({
  body: Text,
  path: Schema.String,
  position: opt(Schema.Int),
  original_position: opt(Schema.Int),
  line: opt(Schema.Int),
  original_line: opt(Schema.Int),
  side: Text,
  pull_request_review_id: opt(Schema.Int),
  commit_id: Text,
  original_commit_id: Text,
  diff_hunk: Text,
  resolver: opt(Person),
  created_at: Text,
  updated_at: Text
})
export type OtherLineComment = typeof OtherLineComment.Type

/** A comment at another host, with the number of its issue or pull request. */
export interface NumberedComment {
  readonly number: number
  readonly comment: OtherComment
}

/** The reviews of a pull request, and their line comments, each with the id of its review. */
export interface OtherReviews {
  readonly reviews: ReadonlyArray<OtherReview>
  readonly remarks: ReadonlyArray<{ readonly remark: OtherLineComment; readonly reviewId: number }>
}

type Reading<A> = Effect.Effect<A, RemoteFailed>

/**
 * Reads the non-git data of one repository at another host. Issues and pull requests share one numbering in the result.
 */
export interface ForgeReader {
  readonly labels: Reading<ReadonlyArray<OtherLabel>>
  readonly milestones: Reading<ReadonlyArray<OtherMilestone>>
  readonly releases: Reading<ReadonlyArray<OtherRelease>>
  readonly issues: Reading<ReadonlyArray<OtherIssue>>
  readonly pulls: Reading<ReadonlyArray<OtherPull>>
  readonly comments: (issues: ReadonlyArray<OtherIssue>) => Reading<ReadonlyArray<NumberedComment>>
  readonly reviews: (number: number) => Reading<OtherReviews>
  /**
   * Returns the download URL of a file, and the URLs by which comments refer to it; undefined if it cannot be
   * downloaded.
   */
  readonly placeOf: (file: OtherFile) => FilePlace | undefined
}

/** The download URL of a file, and the URLs by which comments refer to it, the longest first. */
export interface FilePlace {
  readonly url: string
  readonly names: ReadonlyArray<string>
}

/** Prepares a text from another host for storage: limits its length, and replaces NUL and invalid Unicode. */
export const storedText = (text: string | null | undefined): string =>
  (text ?? "").slice(0, longestText).replaceAll("\0", "\ufffd").toWellFormed()

/**
 * Converts a time from another host to the stored format (ISO 8601, UTC). Returns undefined for a missing or invalid
 * time; some hosts send a year before 1970 if there is no time.
 *
 * @example
 * storedTime("2026-01-02T03:04:05+01:00") // => "2026-01-02T02:04:05.000Z"
 * storedTime("0001-01-01T00:00:00Z") // => undefined
 */
export const storedTime = (text: string | null | undefined): string | undefined => {
  const at = text ? Option.map(DateTime.make(text), DateTime.formatIso) : Option.none()
  return Option.getOrUndefined(Option.filter(at, (iso) => iso >= "1970" && iso < "9999"))
}
