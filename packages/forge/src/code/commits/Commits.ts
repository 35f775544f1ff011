import type { PageRequest } from "@slipway/domain"
import type { Commit, ObjectId, Repository } from "@slipway/domain/forge/code"
import {
  ContentNotFound,
  type Difference,
  type FileChange,
  GitReader,
  type History,
  isEntryPath,
  type PatchStyle,
  pathIn,
  RefName,
  type Verification,
  verifySignatures
} from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { withCommitsOf } from "../git/branches.ts"
import { commitNamed, RepositoryEmpty, RevisionNotFound, resolveRevision } from "../git/revisions.ts"
import { headName, headRepository, tipOf } from "../heads/heads.ts"
import { type CommitPeople, peopleBehind } from "./people.ts"

/** Which optional details of commits to read, such as their changed files. */
export interface CommitDetails {
  readonly changes: boolean
  readonly verification: boolean
}

/** A commit with its details. */
export interface CommitWithDetails {
  readonly commit: Commit
  /** The files that differ from the first parent of the commit, if requested. */
  readonly changes: ReadonlyArray<FileChange> | undefined
  readonly verification: Verification | undefined
}

/** Commits, and a function that finds the user accounts of their authors and committers. */
export interface CommitsWithPeople {
  readonly commits: ReadonlyArray<CommitWithDetails>
  readonly people: CommitPeople
}

/** The filters of a list of commits. */
export interface CommitFilter {
  readonly revision?: string | undefined
  /** Whether to list the commits of all branches instead of those of a revision, each before its parents. */
  readonly allBranches?: boolean | undefined
  readonly path?: string | undefined
  readonly author?: string | undefined
  readonly since?: number | undefined
  readonly until?: number | undefined
  /** A revision: its commit and all ancestors of that commit are excluded. */
  readonly not?: string | undefined
}

/** The most branches of which the commits are listed together. */
export const mostBranches = 100

/** The maximum number of commits that a comparison returns. */
export const mostCompared = 250

type CodeProof = Proof<
  | "repository.branch.create"
  | "repository.contents.change"
  | "repository.contents.create"
  | "repository.contents.delete"
  | "repository.contents.edit"
  | "repository.patch.apply"
  | "repository.tag.create"
  | "repository.tag.list"
  | "repository.tag.read"
  | "pull.commit.list"
  | "repository.branch.list"
  | "repository.branch.read"
  | "repository.commit.list"
  | "repository.blame"
  | "repository.compare"
  | "repository.git.commit.read"
  | "repository.git.note.read"
>

/** Reads the requested details of commits with one query per detail. Missing commits are omitted. */
export const readDetails = Effect.fnUntraced(function* (
  { resource: { actor, repository } }: CodeProof,
  ids: ReadonlyArray<ObjectId>,
  details: CommitDetails
) {
  const reader = yield* GitReader
  const commits = (yield* reader.commits(repository.id, ids)).filter((commit) => commit !== undefined)
  const changes = details.changes ? yield* reader.changesOf(repository.id, ids) : undefined
  const verifications = details.verification ? yield* verifySignatures(repository.id, "commit", commits) : []
  const people = yield* peopleBehind(
    actor,
    commits.flatMap(({ author, committer }) => [author, committer])
  )
  return {
    commits: commits.map((commit, at) => ({
      commit,
      changes: changes?.get(commit.id),
      verification: verifications[at]
    })),
    people
  } satisfies CommitsWithPeople
})

/** Returns the last commits of the first branches by name, at most `mostBranches`. */
const branchHeads = Effect.fnUntraced(function* (repository: Repository) {
  const { rows } = yield* (yield* GitReader).refs(repository.id, "refs/heads/", { page: 1, perPage: mostBranches })
  return rows.map(({ id }) => id)
})

const historyOf = Effect.fnUntraced(function* (
  repository: Repository,
  { allBranches = false, author, not, path = "", revision, since, until }: CommitFilter
) {
  if (repository.empty && (revision === undefined || revision === "")) return yield* new RepositoryEmpty()
  const { commit } = yield* commitNamed(repository, revision)
  const wanted = pathIn(path)
  if (wanted !== "" && !isEntryPath(wanted)) return yield* new ContentNotFound({ path: wanted })
  const without = not === undefined || not === "" ? undefined : yield* commitNamed(repository, not)
  return {
    from: allBranches ? [...new Set([commit, ...(yield* branchHeads(repository))])] : [commit],
    childrenFirst: allBranches,
    not: without === undefined ? undefined : [without.commit],
    path: wanted === "" ? undefined : wanted,
    author: author === "" ? undefined : author,
    since,
    until
  } satisfies History
})

/**
 * Lists one page of commits, newest first.
 *
 * The total number is returned only without a filter by file or person, because counting with such a filter would read
 * the entire history.
 */
export const list = Effect.fnUntraced(function* (
  proof: Proof<"repository.commit.list">,
  filter: CommitFilter,
  details: CommitDetails,
  { page, perPage }: PageRequest
) {
  const { repository } = proof.resource
  const reader = yield* GitReader
  const history = yield* historyOf(repository, filter)
  const ids = yield* reader.log(repository.id, history, { skip: (page - 1) * perPage, limit: perPage + 1 })
  const isWhole = history.path === undefined && history.author === undefined
  const total = isWhole ? yield* reader.count(repository.id, history) : undefined
  const { commits, people } = yield* readDetails(proof, ids.slice(0, perPage), details)
  if (history.path !== undefined && page === 1 && commits.length === 0) {
    return yield* new ContentNotFound({ path: history.path })
  }
  return { rows: commits, people, total, more: ids.length > perPage }
})

/** Reads the requested details of one commit. */
const readCommitDetails = Effect.fnUntraced(function* (proof: CodeProof, id: ObjectId, details: CommitDetails) {
  const { commits, people } = yield* readDetails(proof, [id], details)
  const [commit] = commits
  return commit === undefined ? yield* new RevisionNotFound({ name: id }) : { commit, people }
})

/** Reads the commit of a revision. */
export const read = Effect.fnUntraced(function* (
  proof: Proof<"repository.git.commit.read">,
  revision: string,
  details: CommitDetails
) {
  const { commit } = yield* commitNamed(proof.resource.repository, revision)
  return yield* readCommitDetails(proof, commit, details)
})

/** Returns the diff of a commit against its first parent as a stream of text. Errors occur while the stream is read. */
export const patch = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.git.commit.diff" | "repository.git.commit.patch">,
  revision: string,
  style: PatchStyle["style"]
) {
  const reader = yield* GitReader
  const { commit } = yield* commitNamed(repository, revision)
  const [found] = yield* reader.commits(repository.id, [commit])
  const difference: Difference = { from: found?.parents[0], to: commit }
  return { commit, text: reader.patch(repository.id, difference, { style }) }
})

/** The two revisions of a comparison, and where it starts. */
export interface Comparison {
  readonly base: string
  readonly head: string
  /** Whether the comparison starts at the merge base of both revisions (`...`), or at the base itself (`..`). */
  readonly fromMergeBase: boolean
}

/**
 * Parses the two revisions of a comparison, such as `main...topic`; undefined if the text is invalid. An omitted base
 * is the default branch.
 *
 * @example
 * comparisonIn("main...topic/a", "main") // => { base: "main", head: "topic/a", fromMergeBase: true }
 * comparisonIn("v1..v2", "main") // => { base: "v1", head: "v2", fromMergeBase: false }
 * comparisonIn("topic", "main") // => { base: "main", head: "topic", fromMergeBase: true }
 */
export const comparisonIn = (text: string, defaultBranch: string): Comparison | undefined => {
  const dots = text.includes("...") ? "..." : ".."
  const parts = text.split(dots)
  if (parts.length > 2) return undefined
  const [base = "", head] = parts
  const orDefault = (name: string) => (name === "" ? defaultBranch : name)
  return head === undefined
    ? { base: defaultBranch, head: orDefault(base), fromMergeBase: true }
    : { base: orDefault(base), head: orDefault(head), fromMergeBase: dots === "..." }
}

/** Lists the commits that are in the history of the head but not of the base, newest first. */
const between = Effect.fnUntraced(function* (proof: Proof<"repository.compare">, base: ObjectId, head: ObjectId) {
  const { id } = proof.resource.repository
  const reader = yield* GitReader
  const history: History = { from: [head], not: [base] }
  const ids = yield* reader.log(id, history, { skip: 0, limit: mostCompared })
  const total = ids.length < mostCompared ? ids.length : yield* reader.count(id, history)
  const { commits, people } = yield* readDetails(proof, ids, { changes: true, verification: true })
  return { commits, people, total }
})

/**
 * Resolves the two revisions of a comparison, and runs an effect while the commits of both are available in the
 * repository, even if the head is in a fork.
 */
const comparing = Effect.fnUntraced(function* <A, E, R>(
  { actor, repository }: Proof<"repository.compare" | "repository.compare.diff">["resource"],
  text: string,
  use: (base: ObjectId, head: ObjectId, comparison: Comparison) => Effect.Effect<A, E, R>
) {
  const comparison = comparisonIn(text, repository.defaultBranch)
  if (comparison === undefined) return yield* new RevisionNotFound({ name: text })
  const base = yield* commitNamed(repository, comparison.base)
  const name = headName(comparison.head)
  if (name.owner === undefined) {
    const head = yield* commitNamed(repository, comparison.head)
    return yield* use(base.commit, head.commit, comparison)
  }
  const missing = () => Effect.fail(new RevisionNotFound({ name: comparison.head }))
  const home = yield* Effect.catchTag(headRepository(actor, repository, name), "PullBranchNotFound", missing)
  const commit = yield* Effect.catchTag(tipOf(home, name.branch, "head"), "PullBranchNotFound", missing)
  const tip = { repository: home.id, branch: name.branch, commit }
  return yield* withCommitsOf(repository.id, tip, use(base.commit, commit, comparison))
})

/**
 * Compares two revisions: returns the commits that are only in the history of the head, newest first, and the changed
 * files.
 *
 * The head may be a branch of a fork, as `owner:branch` or `owner/repository:branch`. A fork that the caller cannot
 * read is reported as missing.
 */
export const compare = (proof: Proof<"repository.compare">, text: string) =>
  comparing(proof.resource, text, (base, head) => between(proof, base, head))

/**
 * Returns the diff of a comparison as text. With `...` it starts at the merge base of both revisions, with `..` at the
 * base itself.
 */
export const compareText = Effect.fnUntraced(function* ({ resource }: Proof<"repository.compare.diff">, text: string) {
  const { id } = resource.repository
  const reader = yield* GitReader
  const { from, to } = yield* comparing(resource, text, (base, head, { fromMergeBase }) =>
    Effect.map(fromMergeBase ? reader.divergence(id, base, head) : Effect.undefined, (sides) => ({
      // Unrelated histories have no merge base: the whole head is new.
      from: fromMergeBase ? sides?.mergeBase : base,
      to: head
    }))
  )
  return { from, to, text: reader.patch(id, { from, to }, { style: "diff" }) }
})

const notesRef = RefName.make("refs/notes/commits")
const largestNote = 1024 * 1024

/** Reads the git note of a commit, and the commit that added the note. */
export const note = Effect.fnUntraced(function* (
  proof: Proof<"repository.git.note.read">,
  revision: string,
  details: CommitDetails
) {
  const { repository } = proof.resource
  const reader = yield* GitReader
  const { id } = yield* resolveRevision(repository, revision)
  const found = yield* reader.note(repository.id, notesRef, id)
  if (found === undefined) return yield* new RevisionNotFound({ name: revision })
  const [blob] = yield* reader.objects(repository.id, [found.blob], largestNote)
  const last = yield* reader.lastCommits(repository.id, found.commit, [found.path])
  const by = yield* readCommitDetails(proof, last.get(found.path) ?? found.commit, details)
  return { message: new TextDecoder().decode(blob?.content), by }
})
