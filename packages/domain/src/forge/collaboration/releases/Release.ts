import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { descending, owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { UserId } from "../../identity/users/User.ts"

/** The schema of the id of a release. */
export const ReleaseId = Schema.Int.pipe(Schema.brand("ReleaseId"))
export type ReleaseId = typeof ReleaseId.Type

/** A release of a repository at a tag, with notes and files. */
export interface Release {
  readonly id: ReleaseId
  readonly repositoryId: RepositoryId
  readonly authorId: UserId | null
  /** The name of the git tag. The tag of a draft may not exist yet. */
  readonly tag: string
  /** The revision on which the tag is created when the release is published. */
  readonly target: string
  readonly title: string
  readonly body: string
  readonly draft: boolean
  readonly prerelease: boolean
  readonly createdAt: string
  /** The time of publication; null for a draft. */
  readonly publishedAt: string | null
}

/** The releases of repositories, one per tag, newest first. */
export const releases = owned<Release>()("release", {
  within: ["repositoryId"],
  fields: {
    repositoryId: Fields.reference("repository"),
    authorId: Fields.looseReference("user"),
    tag: Fields.text(),
    target: Fields.text(),
    title: Fields.text(),
    body: Fields.text(),
    draft: Fields.boolean(),
    prerelease: Fields.boolean(),
    createdAt: Fields.time(),
    publishedAt: Fields.nullable(Fields.time())
  },
  orders: { newest: descending("createdAt"), published: descending("publishedAt") },
  filters: ["draft", "prerelease"],
  unique: { tag: ["repositoryId", "tag"] },
  counters: { releases: { of: "repositoryId", where: { draft: false } } }
})

/** Reports that the repository has no release with this id or tag. */
export class ReleaseNotFound extends Schema.TaggedError<ReleaseNotFound>()("ReleaseNotFound", {
  what: Schema.String
}) {}

/** Reports that a tag already has a release. */
export class ReleaseExists extends Schema.TaggedError<ReleaseExists>()("ReleaseExists", {}) {}
