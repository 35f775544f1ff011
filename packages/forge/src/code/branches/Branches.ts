import type { PageRequest } from "@slipway/domain"
import { isBranchName, isNewBranchName, now, Transaction } from "@slipway/domain"
import { allows } from "@slipway/domain/forge/access"
import type { BranchProtection, Repository } from "@slipway/domain/forge/code"
import {
  branchRef,
  GitReader,
  isPermitted,
  mayPush,
  protectionsOf,
  type Ref,
  RepositoryStore,
  Revision,
  refParts,
  renameDetails
} from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { addJob } from "../../base/jobs/addJob.ts"
import * as Jobs from "../../base/jobs/jobWorker.ts"
import { type CommitWithDetails, readDetails } from "../commits/Commits.ts"
import type { CommitPeople } from "../commits/people.ts"
import { ChangeInvalid, RefExists } from "../contents/commit.ts"
import { commitNamed, RepositoryEmpty, RevisionNotFound } from "../git/revisions.ts"
import { askRules, changeRefs } from "../pushes/changeRefs.ts"
import { rulesOf } from "../pushes/Pushes.ts"

/** A branch with its last commit and its protection. */
export interface BranchDetails {
  readonly name: string
  readonly last: CommitWithDetails
  readonly people: CommitPeople
  readonly protection: BranchProtection | undefined
  readonly mayPush: boolean
  readonly mayMerge: boolean
}

type ReadProof = Proof<"repository.branch.create" | "repository.branch.list" | "repository.branch.read">

const branchDetails = Effect.fnUntraced(function* (proof: ReadProof, refs: ReadonlyArray<Ref>) {
  const { facts } = proof.resource
  const { rules, who } = yield* rulesOf(proof)
  const ids = refs.map(({ id }) => id)
  const { commits, people } = yield* readDetails(proof, [...new Set(ids)], { changes: false, verification: true })
  const byId = new Map(commits.map((each) => [each.commit.id, each]))
  const writes = allows("repository.branch.create", facts)
  const all: Array<BranchDetails> = []
  for (const { id, name } of refs) {
    const last = byId.get(id)
    if (last === undefined) continue
    yield* Effect.yieldNow
    const branch = refParts(name).name
    const protections = protectionsOf(rules.branches, branch)
    all.push({
      name: branch,
      last,
      people,
      protection: protections[0],
      mayPush: writes && protections.every(({ push }) => mayPush(push, who)),
      mayMerge: writes && protections.every(({ merge }) => isPermitted(merge, who))
    })
  }
  return all
})

/** Lists one page of branches by name; `containing` filters by substring, ignoring case. */
export const list = Effect.fnUntraced(function* (
  proof: Proof<"repository.branch.list">,
  page: PageRequest,
  containing?: string
) {
  const found = yield* (yield* GitReader).refs(proof.resource.repository.id, "refs/heads/", page, containing)
  return { rows: yield* branchDetails(proof, found.rows), total: found.total }
})

const find = Effect.fnUntraced(function* (repository: Repository, name: string) {
  if (name === "" || !isBranchName(name)) return yield* new RevisionNotFound({ name })
  const found = yield* (yield* GitReader).resolve(repository.id, Revision.make(branchRef(name)))
  return found ?? (yield* new RevisionNotFound({ name }))
})

const readBranch = Effect.fnUntraced(function* (proof: ReadProof, name: string) {
  const { id, kind } = yield* find(proof.resource.repository, name)
  const [branch] = yield* branchDetails(proof, [{ name: branchRef(name), id, kind, peeled: undefined }])
  return branch ?? (yield* new RevisionNotFound({ name }))
})

/** Reads a branch. */
export const read = (proof: Proof<"repository.branch.read">, name: string) => readBranch(proof, name)

const nameable = Effect.fnUntraced(function* (repository: Repository, field: string, name: string) {
  if (name === "" || !isNewBranchName(name)) {
    return yield* new ChangeInvalid({ field, problem: "must be the name of a branch that does not begin with `refs/`" })
  }
  const present = yield* (yield* GitReader).resolve(repository.id, Revision.make(branchRef(name)))
  if (present !== undefined) return yield* new RefExists({ name })
})

/** Creates a branch at the commit of a revision, by default that of the default branch. */
export const create = Effect.fnUntraced(function* (
  proof: Proof<"repository.branch.create">,
  name: string,
  from: string | undefined
) {
  const { repository } = proof.resource
  if (repository.empty) return yield* new RepositoryEmpty()
  yield* nameable(repository, "new_branch_name", name)
  const { commit } = yield* commitNamed(repository, from)
  yield* changeRefs(proof, [{ ref: branchRef(name), before: undefined, after: commit }])
  return yield* readBranch(proof, name)
})

/** The new commit of a branch, and the commit that it is expected to be at. */
export interface BranchMove {
  readonly to: string
  /** The commit that the branch is expected to be at. If it is at another one, the change fails. */
  readonly from?: string | undefined
  /** Whether the branch may lose commits (a non-fast-forward update). */
  readonly force?: boolean | undefined
}

/** Moves a branch to another commit, like a push. */
export const move = Effect.fnUntraced(function* (
  proof: Proof<"repository.branch.move">,
  name: string,
  { force = false, from, to }: BranchMove
) {
  const { repository } = proof.resource
  const { id: before } = yield* find(repository, name)
  if (from !== undefined && from !== before) {
    return yield* new ChangeInvalid({
      field: "old_commit_id",
      problem: `is not the branch's commit, which is ${before}`
    })
  }
  const { commit: after } = yield* commitNamed(repository, to)
  const lies = yield* (yield* GitReader).divergence(repository.id, before, after)
  if (!force && lies?.mergeBase !== before) {
    return yield* new ChangeInvalid({ field: "force", problem: "must be true if the branch loses commits" })
  }
  if (after !== before) yield* changeRefs(proof, [{ ref: branchRef(name), before, after }])
})

/** Changes the default branch in git and in the database, unless it was changed in the meantime. */
const pointTo = Effect.fnUntraced(function* ({ defaultBranch, id }: Repository, name: string) {
  const repositories = yield* RepositoryStore
  const job = yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const present = yield* repositories.lock(id)
      if (present === undefined || present.defaultBranch !== defaultBranch) return undefined
      yield* repositories.replace({ ...present, defaultBranch: name, updatedAt: yield* now })
      return yield* addJob({ _tag: "PointHead", repositoryId: id })
    })
  )
  yield* Jobs.runNow(job)
})

/**
 * Renames a branch. Open pull requests from or into it are updated. Renaming the default branch requires permission to
 * set the default branch.
 *
 * If it is the default branch, the new name is created before the old one is removed, so that a default branch exists
 * at any time.
 */
export const rename = Effect.fnUntraced(function* (proof: Proof<"repository.branch.rename">, name: string, to: string) {
  const { facts, repository } = proof.resource
  const { id } = yield* find(repository, name)
  yield* nameable(repository, "name", to)
  const update = { ref: branchRef(to), before: undefined, after: id }
  const gone = { ref: branchRef(name), before: id, after: undefined }
  const details = renameDetails({ from: name, to })
  if (name !== repository.defaultBranch || !allows("repository.edit", facts)) {
    return yield* changeRefs(proof, [update, gone], undefined, undefined, details)
  }
  yield* askRules(proof, [update, gone], to)
  yield* changeRefs(proof, [update])
  yield* pointTo(repository, to)
  yield* changeRefs(proof, [gone], undefined, to, details)
})

/** Deletes a branch. */
export const remove = Effect.fnUntraced(function* (proof: Proof<"repository.branch.delete">, name: string) {
  const { id } = yield* find(proof.resource.repository, name)
  yield* changeRefs(proof, [{ ref: branchRef(name), before: id, after: undefined }])
})
