import { type Commit, type Divergence, type History, isEntryPath, type ObjectId } from "@slipway/domain/forge/code"
import type { MemoryRepository } from "./repository.ts"

/** Returns commits and all of their ancestors. */
export const ancestors = (repository: MemoryRepository, from: ReadonlyArray<ObjectId>): ReadonlySet<ObjectId> => {
  const seen = new Set<ObjectId>()
  const open = [...from]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const commit = seen.has(id) ? undefined : repository.commit(id)
    if (commit === undefined) continue
    seen.add(id)
    open.push(...commit.parents)
  }
  return seen
}

const objectAt = (repository: MemoryRepository, commit: Commit | undefined, path: string) => {
  const entry = commit === undefined ? undefined : repository.entry(commit.tree, path)
  return entry === undefined ? undefined : `${entry.mode} ${entry.id}`
}

/**
 * Returns the parents that a history follows. If a parent has the same content at the path, returns only that parent,
 * as git does.
 */
const followed = (repository: MemoryRepository, commit: Commit, path: string | undefined, firstParent: boolean) => {
  const parents = firstParent ? commit.parents.slice(0, 1) : commit.parents
  if (path === undefined) return { parents, changes: true }
  const own = objectAt(repository, commit, path)
  if (parents.length === 0) return { parents, changes: own !== undefined }
  const same = parents.find((parent) => objectAt(repository, repository.commit(parent), path) === own)
  return same === undefined ? { parents, changes: true } : { parents: [same], changes: false }
}

/** Returns the commits that a history query selects, newest first. */
export const walk = (repository: MemoryRepository, history: History): ReadonlyArray<ObjectId> => {
  const { author, firstParent = false, from, not = [], path, since, until } = history
  if (path !== undefined && (!isEntryPath(path) || path.includes("\n"))) return []
  const hidden = ancestors(repository, not)
  const seen = new Set<ObjectId>(hidden)
  const open: Array<Commit> = []
  const add = (ids: ReadonlyArray<ObjectId>) => {
    for (const id of ids) {
      const commit = seen.has(id) ? undefined : repository.commit(id)
      if (commit === undefined) continue
      seen.add(id)
      open.push(commit)
    }
  }
  add(from)
  const listed: Array<ObjectId> = []
  while (open.length > 0) {
    // Of those with the same time, the one that was found first.
    const next = open.reduce((newest, each) => (each.committer.seconds > newest.committer.seconds ? each : newest))
    open.splice(open.indexOf(next), 1)
    const { changes, parents } = followed(repository, next, path, firstParent)
    add(parents)
    const { email, name } = next.author
    const by = author === undefined || `${name} <${email}>`.toLowerCase().includes(author.toLowerCase())
    const then = next.committer.seconds >= (since ?? 0) && next.committer.seconds <= (until ?? Number.MAX_SAFE_INTEGER)
    if (changes && by && then) listed.push(next.id)
  }
  return history.childrenFirst === true ? childrenFirst(repository, listed) : listed
}

/** Orders commits so that each comes before its parents; otherwise, their order stays. */
const childrenFirst = (repository: MemoryRepository, listed: ReadonlyArray<ObjectId>): ReadonlyArray<ObjectId> => {
  const parentsOf = (id: ObjectId) => repository.commit(id)?.parents ?? []
  const children = new Map<ObjectId, number>()
  const change = (id: ObjectId, by: number) => {
    for (const parent of parentsOf(id)) children.set(parent, (children.get(parent) ?? 0) + by)
  }
  for (const id of listed) change(id, 1)
  const waiting = new Set(listed)
  const isNext = (id: ObjectId) => (children.get(id) ?? 0) === 0
  const ordered: Array<ObjectId> = []
  for (let next = listed.find(isNext); next !== undefined; next = [...waiting].find(isNext)) {
    waiting.delete(next)
    ordered.push(next)
    change(next, -1)
  }
  return ordered
}

/** Returns the merge bases of two commits: their best common ancestors. */
export const mergeBases = (repository: MemoryRepository, one: ObjectId, other: ObjectId): ReadonlyArray<ObjectId> => {
  const own = ancestors(repository, [one])
  const common = [...ancestors(repository, [other])].filter((id) => own.has(id))
  const below = ancestors(
    repository,
    common.flatMap((id) => repository.commit(id)?.parents ?? [])
  )
  return common.filter((id) => !below.has(id))
}

/** Returns how many commits each of two commits is ahead of the other. */
export const divergenceOf = (repository: MemoryRepository, base: ObjectId, head: ObjectId): Divergence => {
  const [before, after] = [ancestors(repository, [base]), ancestors(repository, [head])]
  return {
    mergeBase: mergeBases(repository, base, head)[0],
    ahead: [...after].filter((id) => !before.has(id)).length,
    behind: [...before].filter((id) => !after.has(id)).length
  }
}
