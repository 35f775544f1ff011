import { nameKey } from "@slipway/domain"
import {
  type FileChange,
  type GitId,
  GitReader,
  isEntryPath,
  isHidden,
  isObjectId,
  type ObjectId,
  type Ref,
  RefName,
  type Resolved,
  revisionParts
} from "@slipway/domain/forge/code"
import { Effect, Layer, Stream } from "effect"
import { archiveOf, bundleOf } from "./archives.ts"
import { blameLines } from "./blame.ts"
import { changesBetween } from "./changes.ts"
import { divergenceOf, walk } from "./history.ts"
import { diffText, mails } from "./patches.ts"
import { bytesOf, type MemoryRepository, Repositories } from "./repository.ts"

/**
 * Returns the object at the end of revision steps such as `~2^`, starting from a commit; undefined if there is none.
 */
const stepped = (repository: MemoryRepository, from: ObjectId, steps: string): ObjectId | undefined => {
  let at: ObjectId | undefined = repository.peel(from)?.id
  for (const [, sign, digits = ""] of steps.matchAll(/([~^])(\d*)/g)) {
    const count = digits === "" ? 1 : Number(digits)
    for (let left = sign === "~" ? count : Math.min(count, 1); left > 0; left--)
      at = at === undefined ? undefined : repository.commit(at)?.parents[sign === "~" ? 0 : count - 1]
    if (at !== undefined && repository.commit(at) === undefined) return undefined
  }
  return at
}

const found = (repository: MemoryRepository, base: string): { id: ObjectId; ref?: string } | undefined => {
  if (base === "HEAD") {
    const id = repository.refs.get(`refs/heads/${repository.head}`)
    return id === undefined ? undefined : { id }
  }
  const whole = base.toLowerCase()
  if (isObjectId(whole) && repository.objects.has(whole)) return { id: whole }
  const refs = [...(base.startsWith("refs/") ? [base] : []), `refs/heads/${base}`, `refs/tags/${base}`]
  for (const ref of refs) {
    const id = repository.refs.get(ref)
    if (id !== undefined) return { id, ref }
  }
  if (!/^[0-9a-f]{4,64}$/i.test(base)) return undefined
  const like = [...repository.objects.keys()].filter((id) => id.startsWith(base.toLowerCase()))
  const [id] = like
  return id === undefined || like.length > 1 ? undefined : { id }
}

const resolve = (repository: MemoryRepository, base: string, steps: string): Resolved | undefined => {
  const named = found(repository, base)
  if (named === undefined) return undefined
  const id = steps === "" ? named.id : stepped(repository, named.id, steps)
  const object = id === undefined ? undefined : repository.objects.get(id)
  if (object === undefined) return undefined
  const peeled = repository.peel(object.id)
  const ref = steps === "" && named.ref !== undefined ? RefName.makeOption(named.ref) : undefined
  return {
    id: object.id,
    kind: object.kind,
    commit: peeled?.kind === "commit" ? peeled.id : undefined,
    ref: ref?._tag === "Some" ? ref.value : undefined
  }
}

const refOf = (repository: MemoryRepository, name: string, id: ObjectId): ReadonlyArray<Ref> => {
  const [object, peeled] = [repository.objects.get(id), repository.peel(id)]
  if (object === undefined) return []
  const leads = object.kind === "tag" && peeled !== undefined ? { id: peeled.id, kind: peeled.kind } : undefined
  return [{ name: name as RefName, id, kind: object.kind, peeled: leads }]
}

const fannedOut = (id: ObjectId, depth: number): string =>
  [...Array.from({ length: depth }, (_, at) => id.slice(at * 2, at * 2 + 2)), id.slice(depth * 2)].join("/")

/** Returns the changed files of a commit, compared with its first parent. */
const changesOf = (repository: MemoryRepository, id: ObjectId) => {
  const commit = repository.commit(id)
  const [parent] = commit?.parents ?? []
  return changesBetween(
    repository,
    parent === undefined ? undefined : repository.treeOf(parent),
    commit === undefined ? undefined : commit.tree
  )
}

const plain = ({ additions, after, before, binary, deletions, status }: FileChange): FileChange => ({
  status,
  before,
  after,
  additions,
  deletions,
  binary
})

/** Reads git repositories in memory. */
export const gitReader: Layer.Layer<GitReader> = Layer.effect(
  GitReader,
  Effect.map(Repositories, (repositories) => {
    const on = <A, B>(id: GitId, missing: B, work: (repository: MemoryRepository) => A) =>
      Effect.sync((): A | B => {
        const repository = repositories.get(id)
        return repository === undefined ? missing : work(repository)
      })
    const streamed = (id: GitId, work: (repository: MemoryRepository) => Uint8Array | undefined) =>
      Stream.unwrap(
        Effect.map(on(id, undefined, work), (bytes) =>
          bytes === undefined || bytes.length === 0 ? Stream.empty : Stream.make(bytes)
        )
      )
    return GitReader.of({
      format: (id) => on(id, undefined, ({ format }) => format),
      resolve: (id, revision) =>
        on(id, undefined, (repository) => {
          const { base, steps } = revisionParts(revision)
          return resolve(repository, base, steps)
        }),
      refs: (id, prefix, { page, perPage }, containing = "") =>
        on(id, { rows: [], total: 0 }, (repository) => {
          const named = [...repository.refs].filter(
            ([name]) =>
              name.startsWith(prefix) &&
              !isHidden(name) &&
              nameKey(name.slice(prefix.length)).includes(nameKey(containing))
          )
          const sorted = named.sort(([one], [other]) => (one < other ? -1 : 1))
          const rows = sorted.slice((page - 1) * perPage, page * perPage)
          return { rows: rows.flatMap(([name, object]) => refOf(repository, name, object)), total: named.length }
        }),
      objects: (id, ids, most) =>
        on(
          id,
          ids.map(() => undefined),
          ({ objects }) =>
            ids.map((each) => {
              const object = objects.get(each)
              if (object === undefined) return undefined
              const { content, kind } = object
              const size = content.length
              return { id: each, kind, size, content: size > most ? undefined : content.slice() }
            })
        ),
      commits: (id, ids) =>
        on(
          id,
          ids.map(() => undefined),
          (repository) => ids.map((each) => repository.commit(each))
        ),
      content: (id, blob, range) =>
        streamed(id, ({ objects }) => {
          const object = objects.get(blob)
          const from = range?.offset ?? 0
          return object?.kind === "blob"
            ? object.content.slice(from, from + (range?.length ?? object.content.length))
            : undefined
        }),
      sizes: (id, ids) =>
        on(
          id,
          ids.map(() => undefined),
          ({ objects }) => ids.map((each) => objects.get(each)?.content.length)
        ),
      tree: (id, of, { page, perPage, recursive }) =>
        on(id, { rows: [], total: 0 }, (repository) => {
          const tree = repository.treeOf(of)
          const one = tree === undefined ? [] : repository.entries(tree)
          const all = tree !== undefined && recursive ? repository.all(tree) : one
          return { rows: all.slice((page - 1) * perPage, page * perPage), total: all.length }
        }),
      entries: (id, of, paths) =>
        on(
          id,
          paths.map(() => undefined),
          (repository) => {
            const tree = repository.treeOf(of)
            return paths.map((path) =>
              tree === undefined || (path !== "" && !isEntryPath(path)) ? undefined : repository.entry(tree, path)
            )
          }
        ),
      lastCommits: (id, commit, paths) =>
        on(id, new Map(), (repository) => {
          const tree = repository.commit(commit)?.tree
          return new Map(
            paths.flatMap((path) => {
              const there = tree !== undefined && isEntryPath(path) && repository.entry(tree, path) !== undefined
              const [last] = there ? walk(repository, { from: [commit], path }) : []
              return last === undefined ? [] : [[path, last] as const]
            })
          )
        }),
      log: (id, history, { limit, skip }) =>
        on(id, [], (repository) => walk(repository, history).slice(skip, skip + limit)),
      count: (id, history) => on(id, 0, (repository) => walk(repository, history).length),
      divergence: (id, base, head) =>
        on(id, undefined, (repository) =>
          [base, head].every((each) => repository.commit(each) !== undefined)
            ? divergenceOf(repository, base, head)
            : undefined
        ),
      changes: (id, { from, paths, to, whitespace }) =>
        on(id, [], (repository) => {
          const [before, after] = [from === undefined ? undefined : repository.treeOf(from), repository.treeOf(to)]
          if (after === undefined || (from !== undefined && before === undefined)) return []
          return changesBetween(repository, before, after, paths, whitespace).map(plain)
        }),
      changesOf: (id, commits) =>
        on(id, new Map(), (repository) => {
          const present = commits.filter((each) => repository.commit(each) !== undefined)
          return new Map(present.map((each) => [each, changesOf(repository, each).map(plain)]))
        }),
      patch: (id, { from, paths, to }, style) =>
        streamed(id, (repository) => {
          const [before, after] = [from === undefined ? undefined : repository.treeOf(from), repository.treeOf(to)]
          if (after === undefined || (from !== undefined && before === undefined)) return undefined
          if (style.style === "diff")
            return bytesOf(diffText(repository, changesBetween(repository, before, after, paths), style))
          const listed = walk(repository, { from: [to], not: from === undefined ? [] : [from] }).toReversed()
          const written = listed.flatMap((each) => {
            const commit = repository.commit(each)
            // Merges have no changes.
            return commit === undefined || commit.parents.length > 1
              ? []
              : [[commit, changesOf(repository, each)] as const]
          })
          return bytesOf(mails(repository, written, style))
        }),
      archive: (id, of, format, prefix) =>
        streamed(id, (repository) => {
          const tree = repository.treeOf(of)
          const at = repository.commit(of)?.committer.seconds ?? 0
          return tree === undefined ? undefined : archiveOf(repository, tree, format, prefix, at)
        }),
      bundle: (id, of, as) =>
        streamed(id, (repository) => (repository.commit(of) === undefined ? undefined : bundleOf(repository, of, as))),
      blame: (id, commit, path, range) => on(id, [], (repository) => blameLines(repository, commit, path, range)),
      note: (id, notes, of) =>
        on(id, undefined, (repository) => {
          const commit = repository.refs.get(notes)
          const tree = commit === undefined ? undefined : repository.treeOf(commit)
          if (commit === undefined || tree === undefined) return undefined
          const all = [0, 1, 2, 3].map((depth) => repository.entry(tree, fannedOut(of, depth)))
          const entry = all.find((each) => each?.kind === "blob")
          return entry === undefined ? undefined : { blob: entry.id, path: entry.path, commit }
        })
    })
  })
).pipe(Layer.provide(Repositories.layer))
