import type { PageRequest } from "@slipway/domain"
import { isBranchName, isNewBranchName, now } from "@slipway/domain"
import type { Commit, ObjectId, Repository } from "@slipway/domain/forge/code"
import { GitReader, GitWriter, parseTag, type Ref, Revision, refParts, tagRef } from "@slipway/domain/forge/code"
import { releases } from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect, Schema } from "effect"
import { ChangeInvalid, identityOf, momentOf, RefExists } from "../contents/commit.ts"
import { RepositoryEmpty, RevisionNotFound, resolveRevision } from "../git/revisions.ts"
import { changeRefs } from "../pushes/changeRefs.ts"

/** A git tag, with its message and the commit that it points to. */
export interface Tag {
  readonly name: string
  /** The id of the tag object for an annotated tag, otherwise the id of the commit. */
  readonly id: ObjectId
  /** The message of the annotated tag, otherwise that of the commit; without trailing line breaks. */
  readonly message: string
  readonly commit: Commit
}

const largestTag = 1024 * 1024

const tagDetails = Effect.fnUntraced(function* ({ id }: Repository, refs: ReadonlyArray<Ref>) {
  const reader = yield* GitReader
  const leads = refs.map(({ id: own, kind, peeled }) => peeled ?? { id: own, kind })
  const commits = yield* reader.commits(
    id,
    leads.map((each) => each.id)
  )
  const annotated = refs.filter(({ kind }) => kind === "tag").map((ref) => ref.id)
  const messages = new Map<ObjectId, string>()
  for (const object of yield* reader.objects(id, annotated, largestTag)) {
    if (object?.content !== undefined) messages.set(object.id, parseTag(object.id, object.content).message)
  }
  // A tag of a non-commit object is not supported by this API.
  return refs.flatMap((ref, at): ReadonlyArray<Tag> => {
    const commit = commits[at]
    const message = (messages.get(ref.id) ?? commit?.message ?? "").trimEnd()
    return commit === undefined ? [] : [{ name: refParts(ref.name).name, id: ref.id, message, commit }]
  })
})

/** Lists one page of tags by name. */
export const list = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.tag.list">,
  page: PageRequest
) {
  const found = yield* (yield* GitReader).refs(repository.id, "refs/tags/", page)
  return { rows: yield* tagDetails(repository, found.rows), total: found.total }
})

const find = Effect.fnUntraced(function* (repository: Repository, name: string) {
  if (name === "" || !isBranchName(name)) return yield* new RevisionNotFound({ name })
  const found = yield* (yield* GitReader).resolve(repository.id, Revision.make(tagRef(name)))
  return found ?? (yield* new RevisionNotFound({ name }))
})

const readTag = Effect.fnUntraced(function* (repository: Repository, name: string) {
  const { commit, id, kind } = yield* find(repository, name)
  const peeled = commit === undefined || commit === id ? undefined : { id: commit, kind: "commit" as const }
  const [tag] = yield* tagDetails(repository, [{ name: tagRef(name), id, kind, peeled }])
  return tag ?? (yield* new RevisionNotFound({ name }))
})

/** Reads a tag. */
export const read = ({ resource: { repository } }: Proof<"repository.tag.read">, name: string) =>
  readTag(repository, name)

/** The fields of a new git tag. */
export interface NewTag {
  readonly name: string
  /** The revision to tag; by default the default branch. */
  readonly target?: string | undefined
  /** The message of an annotated tag. If it is omitted, a lightweight tag is created. */
  readonly message?: string | undefined
}

type Tagging = Proof<"repository.release.create" | "repository.release.edit" | "repository.tag.create">

/** Returns whether a repository has a tag with the given name. */
export const isThere = Effect.fnUntraced(function* (repository: Repository, name: string) {
  if (repository.empty || name === "" || !isBranchName(name)) return false
  return (yield* (yield* GitReader).resolve(repository.id, Revision.make(tagRef(name)))) !== undefined
})

/**
 * Creates a tag at a revision. Unlike `create`, it accepts the proof (result of authorization) of any action that
 * creates tags.
 */
export const make = Effect.fnUntraced(function* (proof: Tagging, { message = "", name, target }: NewTag) {
  const { repository } = proof.resource
  if (repository.empty) return yield* new RepositoryEmpty()
  if (name === "" || !isNewBranchName(name)) {
    const problem = "must be the name of a tag that does not begin with `refs/`"
    return yield* new ChangeInvalid({ field: "tag_name", problem })
  }
  if (yield* isThere(repository, name)) return yield* new RefExists({ name })
  const { commit } = yield* resolveRevision(repository, target)
  if (commit === undefined) return yield* new RevisionNotFound({ name: target ?? "" })
  const writer = yield* GitWriter
  const tagger = { ...(yield* identityOf(proof)), ...momentOf(yield* now) }
  const after =
    message.trim() === ""
      ? commit
      : yield* writer.writeTag(repository.id, { object: commit, kind: "commit", name, tagger, message })
  yield* changeRefs(proof, [{ ref: tagRef(name), before: undefined, after }])
})

/** Creates a tag at a revision. */
export const create = Effect.fnUntraced(function* (proof: Proof<"repository.tag.create">, tag: NewTag) {
  yield* make(proof, tag)
  return yield* readTag(proof.resource.repository, tag.name)
})

/** Reports that a tag cannot be deleted because a published release uses it. */
export class TagHasRelease extends Schema.TaggedError<TagHasRelease>()("TagHasRelease", { name: Schema.String }) {}

/** Deletes a tag. Fails if a published release uses it. */
export const remove = Effect.fnUntraced(function* (proof: Proof<"repository.tag.delete">, name: string) {
  const { repository } = proof.resource
  const { id } = yield* find(repository, name)
  const release = yield* (yield* releases.store).findBy("tag", { repositoryId: repository.id, tag: name })
  if (release?.draft === false) return yield* new TagHasRelease({ name })
  yield* changeRefs(proof, [{ ref: tagRef(name), before: id, after: undefined }])
})
