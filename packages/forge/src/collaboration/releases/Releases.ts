import type { OwnedPage } from "@slipway/domain"
import { isNewBranchName, now } from "@slipway/domain"
import type { RepositoryFacts } from "@slipway/domain/forge/access"
import { allows } from "@slipway/domain/forge/access"
import { type Attachment, AttachmentStore, type Repository, RepositoryNotFound } from "@slipway/domain/forge/code"
import { type Release, ReleaseExists, ReleaseNotFound, releases } from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { activityDetails } from "@slipway/domain/forge/events"
import type { Actor } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { addJob } from "../../base/jobs/addJob.ts"
import { ownedUseCases } from "../../base/owned/useCases.ts"
import { ChangeInvalid } from "../../code/contents/commit.ts"
import { RefChangeRefused } from "../../code/pushes/changeRefs.ts"
import * as Tags from "../../code/tags/Tags.ts"
import { authorOf, type PeopleById, peopleOf } from "../issues/views.ts"
import { NotificationMail } from "../notifications/NotificationMail.ts"
import { generatedNotes } from "./notes.ts"

/** The fields of a new release; omitted ones are empty. */
export interface NewRelease {
  readonly tag: string
  /** The revision on which a missing tag is created; by default the default branch. */
  readonly target?: string | undefined
  readonly title?: string | undefined
  readonly body?: string | undefined
  readonly draft?: boolean | undefined
  readonly prerelease?: boolean | undefined
  /** The message of an annotated tag. If it is omitted, a lightweight tag is created. */
  readonly tagMessage?: string | undefined
  /** Whether to append generated notes: the pull requests merged since the previous release. */
  readonly notes?: boolean | undefined
}

/** The fields of a release that a request changes; omitted fields stay unchanged. */
export type ReleaseChange = Partial<Pick<Release, "body" | "draft" | "prerelease" | "tag" | "target" | "title">>

/** The filters of a list of releases. */
export interface ReleaseList {
  readonly draft?: boolean | undefined
  readonly prerelease?: boolean | undefined
}

/** The data that responses show with releases: their authors and files. */
export interface ReleaseDetails {
  readonly people: PeopleById
  readonly assets: ReadonlyMap<number, ReadonlyArray<Attachment>>
}

/** The maximum number of files of a release that its event contains. */
const mostAssets = 100

const maySeeDrafts = (facts: RepositoryFacts): boolean =>
  allows("repository.release.read", { ...facts, found: true, draft: true })

/** Reads the files of a release in the current transaction, for webhook payloads. */
const releaseSnapshot = Effect.fnUntraced(function* (release: Release) {
  const assets = (yield* (yield* AttachmentStore).listFor("release", [release.id])).get(release.id) ?? []
  return { release: { release, assets: assets.slice(0, mostAssets) } }
})

const own = ownedUseCases(releases, "repository.release", {
  scope: ({ repository }) => ({ repositoryId: repository.id }),
  rowOf: ({ body = "", draft = false, prerelease = false, tag, target, title }: NewRelease, resource) =>
    Effect.map(now, (at) => ({
      authorId: authorOf(resource.actor),
      tag,
      target: target === undefined || target === "" ? resource.repository.defaultBranch : target,
      title: title === undefined || title === "" ? tag : title,
      body,
      draft,
      prerelease,
      createdAt: at,
      publishedAt: draft ? null : at
    })),
  changed: (change: ReleaseChange, { release }) =>
    Effect.map(now, (at) => {
      const draft = change.draft ?? release.draft
      return { ...change, publishedAt: draft ? null : (release.publishedAt ?? at) }
    }),
  notFound: (id) => new ReleaseNotFound({ what: String(id) }),
  refused: (error, { repository: { name } }) =>
    error._tag === "Missing" ? new RepositoryNotFound({ name }) : new ReleaseExists(),
  details: ({ draft, id, tag, title }, before) => ({
    release: tag,
    id,
    draft,
    ...(draft || before?.draft === false ? {} : activityDetails("repo.releases", { releaseId: id }, title))
  }),
  leaves: (release) => releaseSnapshot(release),
  follows: Effect.fnUntraced(function* ({ draft, id, prerelease }: Release, before, { actor, repository }) {
    // Watchers are notified of a release once, and not of drafts or prereleases.
    if (draft || prerelease || (before?.publishedAt ?? null) !== null) return
    if (!(yield* NotificationMail).on) return
    const release = {
      repositoryId: repository.id,
      releaseId: id,
      actorId: actor.user?.id ?? null,
      at: yield* now,
      after: 0
    }
    yield* addJob({ _tag: "NotifyRelease", ...release })
  })
})

/** Reads the data that responses show with releases of a repository, with one query per type of data. */
export const details = Effect.fnUntraced(function* (
  actor: Actor,
  rows: ReadonlyArray<Release>,
  known?: ReleaseDetails["assets"]
) {
  const ids = rows.map(({ id }) => id)
  const authors = rows.flatMap(({ authorId }) => (authorId === null ? [] : [authorId]))
  const people = yield* peopleOf(actor, authors)
  const assets = known ?? (yield* (yield* AttachmentStore).listFor("release", ids))
  return { people, assets } satisfies ReleaseDetails
})

/** Lists releases, newest first. Drafts are listed only for users with write permission on releases. */
export const list = Effect.fnUntraced(function* (
  { resource: { facts, repository } }: Proof<"repository.release.list">,
  page: OwnedPage,
  { draft, prerelease }: ReleaseList
) {
  const seesDrafts = maySeeDrafts(facts)
  if (draft === true && !seesDrafts) return { rows: [], total: 0, more: false }
  const filter = { draft: seesDrafts ? draft : false, prerelease }
  return yield* (yield* releases.store).list({ repositoryId: repository.id }, page, { filter, order: "newest" })
})

/** Reads the latest published release, without prereleases. */
export const latest = Effect.fnUntraced(function* ({
  resource: { repository }
}: Proof<"repository.release.read-latest">) {
  const store = yield* releases.store
  const filter = { draft: false, prerelease: false }
  const { rows } = yield* store.list({ repositoryId: repository.id }, { limit: 1 }, { filter, order: "published" })
  return rows[0] ?? (yield* new ReleaseNotFound({ what: "latest" }))
})

type Publishing = Proof<"repository.release.create" | "repository.release.edit">

/** Creates the tag of a published release if it does not exist. The same tag protections apply as to a push. */
const tagged = Effect.fnUntraced(function* (
  proof: Publishing,
  { tag, tagMessage, target }: Pick<NewRelease, "tag" | "tagMessage" | "target">
) {
  const { repository } = proof.resource
  if (yield* Tags.isThere(repository, tag)) return
  if (repository.archived || repository.mirror) {
    return yield* new RefChangeRefused({
      messages: [`the repository does not accept new tags, and \`${tag}\` does not exist`]
    })
  }
  yield* Tags.make(proof, { name: tag, target, message: tagMessage }).pipe(
    Effect.catchTag("RefExists", () => Effect.void)
  )
})

/** Fails if a tag name is invalid, or if another release has the tag. */
const free = Effect.fnUntraced(function* ({ id: repositoryId }: Repository, tag: string) {
  if (tag === "" || !isNewBranchName(tag)) {
    const problem = "must be the name of a tag that does not begin with `refs/`"
    return yield* new ChangeInvalid({ field: "tag_name", problem })
  }
  const present = yield* (yield* releases.store).findBy("tag", { repositoryId, tag })
  if (present !== undefined) return yield* new ReleaseExists()
})

/**
 * Creates a release. Unless it is a draft, its tag is created first.
 *
 * After a crash in between, the tag exists without a release; the request can be repeated.
 */
export const create = Effect.fnUntraced(function* (proof: Proof<"repository.release.create">, input: NewRelease) {
  yield* free(proof.resource.repository, input.tag)
  if (input.draft !== true) yield* tagged(proof, input)
  if (input.notes !== true) return yield* own.create(proof, input)
  const notes = yield* generatedNotes(proof, input)
  return yield* own.create(proof, {
    ...input,
    body: [input.body ?? "", notes].filter((text) => text !== "").join("\n\n")
  })
})

/** Changes the given fields of a release; publishing a draft creates its tag. */
export const edit = Effect.fnUntraced(function* (proof: Proof<"repository.release.edit">, change: ReleaseChange) {
  const { release, repository } = proof.resource
  const { draft = release.draft, tag = release.tag, target = release.target } = change
  if (tag !== release.tag) yield* free(repository, tag)
  // A published release has its tag; an edit does not recreate a deleted tag.
  if (!draft && (release.draft || tag !== release.tag)) yield* tagged(proof, { tag, target })
  return yield* own.edit(proof, release.id, change)
})

/** Deletes a release; its tag is kept. A cleanup task removes the bytes of its files later. */
export const remove = audited(
  Effect.fnUntraced(function* ({
    resource: { release, repository }
  }: Proof<"repository.release.delete" | "repository.release.delete-by-tag">) {
    const { id: repositoryId } = repository
    const after = yield* releaseSnapshot(release)
    const removed = yield* (yield* releases.store).remove({ repositoryId }, release.id)
    if (removed === undefined) return yield* new ReleaseNotFound({ what: String(release.id) })
    return { ...removed, after: { release: { ...after.release, release: removed } } }
  }),
  ({ after, draft, id, tag }) => ({ details: { release: tag, id, draft }, after })
)
