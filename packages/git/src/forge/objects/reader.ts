import { nameKey } from "@slipway/domain"
import {
  type GitOverloaded,
  GitReader,
  isHidden,
  isObjectId,
  type Note,
  type ObjectId,
  type Ref,
  RefName,
  type Resolved,
  revisionParts,
  type TreeEntry
} from "@slipway/domain/forge/code"
import { Effect, Stream } from "effect"
import { blame } from "./blame.ts"
import type { Answer } from "./catFile.ts"
import { differences } from "./differences.ts"
import { findEntries, histories } from "./history.ts"
import { tokensOf } from "./records.ts"
import { orDie, type Repository, type Store } from "./store.ts"

/** The largest content that is read in one piece, in bytes. */
const small = 1024 * 1024

const isHex = (text: string) => /^[0-9a-f]{4,64}$/i.test(text)
const isRef = RefName.makeOption

/**
 * Returns the refs and object ids that a revision name may mean, in order of precedence.
 *
 * A full object id precedes a ref with the same name; an abbreviated id follows it.
 */
const meanings = (base: string): ReadonlyArray<readonly [asked: string, ref: string | undefined]> => {
  if (base === "HEAD") return [["HEAD", undefined]]
  const refs = [...(base.startsWith("refs/") ? [base] : []), `refs/heads/${base}`, `refs/tags/${base}`]
  const named = refs.map((ref) => [ref, ref] as const)
  if (!isHex(base)) return named
  const object = [base.toLowerCase(), undefined] as const
  return isObjectId(object[0]) ? [object, ...named] : [...named, object]
}

/** The possible folder depths of git notes: each folder level takes two digits of the object id. */
const fanOuts = [0, 1, 2, 3]

const fannedOut = (id: ObjectId, depth: number): string =>
  [...Array.from({ length: depth }, (_, at) => id.slice(at * 2, at * 2 + 2)), id.slice(depth * 2)].join("/")

/** Parses an entry of `git ls-tree -r -t`, which lists a folder before its content. */
const treeLine = (token: string): TreeEntry => {
  const tab = token.indexOf("\t")
  const [mode, kind, id] = token.slice(0, tab).split(" ")
  return { path: token.slice(tab + 1), mode, kind, id } as TreeEntry
}

/** The kind of the object of a ref, and the object of a tag; both belong to the object id forever. */
type Named = Pick<Ref, "kind" | "peeled">

/** Makes the `GitReader` service, which reads objects, refs and notes. */
export const makeReader = (store: Store): GitReader["Service"] => {
  const { programs } = store

  const resolve = Effect.fnUntraced(function* (repository: Repository, base: string, steps: string) {
    const tried = meanings(base)
    // Usually it is the first, and each missing one costs git a search.
    for (const group of [tried.slice(0, 1), tried.slice(1)]) {
      const answers = yield* store.ask(
        repository,
        group.map(([name]) => ({ name: `${name}${steps}` }))
      )
      const at = answers.findIndex((each) => each !== undefined)
      const found = answers[at]
      if (found === undefined) continue
      const ref = group[at]?.[1]
      const named = steps === "" && ref !== undefined ? isRef(ref) : undefined
      return {
        id: found.id,
        kind: found.kind,
        commit: found.kind === "commit" ? found.id : yield* commitOf(repository, found),
        ref: named?._tag === "Some" ? named.value : undefined
      } satisfies Resolved
    }
    return undefined
  })

  /** Returns the commit that a tag points to. */
  const commitOf = Effect.fnUntraced(function* (repository: Repository, { id, kind }: Pick<Answer, "id" | "kind">) {
    if (kind !== "tag") return undefined
    const [found] = yield* store.ask(repository, [{ name: `${id}^{commit}` }])
    return found?.id
  })

  /** Returns the kinds of objects, with the objects of tags; reads only those that are not cached. */
  const kindsOf = Effect.fnUntraced(function* (repository: Repository, ids: ReadonlyArray<ObjectId>) {
    const kinds = new Map(ids.map((id) => [id, store.answers.get<Named>(repository, `kind ${id}`)]))
    const open = [...kinds.keys()].filter((id) => kinds.get(id) === undefined)
    const found = yield* store.ask(
      repository,
      open.map((name) => ({ name }))
    )
    const tags = open.filter((_, at) => found[at]?.kind === "tag")
    const peeled = yield* store.ask(
      repository,
      tags.map((name) => ({ name: `${name}^{}` }))
    )
    const leads = new Map(tags.map((id, at) => [id, peeled[at]]))
    for (const [at, id] of open.entries()) {
      const kind = found[at]?.kind
      const to = leads.get(id)
      if (kind === undefined || (kind === "tag" && to === undefined)) continue
      const named: Named = { kind, peeled: to === undefined ? undefined : { id: to.id, kind: to.kind } }
      kinds.set(id, named)
      store.answers.set(repository, `kind ${id}`, named, 200)
    }
    return kinds
  })

  const withKinds = Effect.fnUntraced(function* (
    repository: Repository,
    listed: ReadonlyArray<readonly [ObjectId, RefName]>
  ) {
    // Branches always point to commits.
    const isBranch = (name: RefName) => name.startsWith("refs/heads/")
    const kinds = yield* kindsOf(
      repository,
      listed.filter(([, name]) => !isBranch(name)).map(([id]) => id)
    )
    return listed.flatMap(([id, name]): ReadonlyArray<Ref> => {
      const named: Named | undefined = isBranch(name) ? { kind: "commit", peeled: undefined } : kinds.get(id)
      return named === undefined ? [] : [{ name, id, ...named }]
    })
  })

  /** Lists one page of refs with their objects, and counts all refs. */
  const listRefs = Effect.fnUntraced(function* (
    repository: Repository,
    prefix: string,
    skip: number,
    limit: number,
    containing: string
  ) {
    const folder = prefix.slice(0, prefix.lastIndexOf("/") + 1)
    const listed: Array<readonly [ObjectId, RefName]> = []
    const sought = nameKey(containing)
    let total = 0
    let rest = ""
    const take = (line: string) => {
      const name = line.slice(line.indexOf(" ") + 1)
      if (!name.startsWith(prefix) || isHidden(name)) return
      if (sought !== "" && !nameKey(name.slice(prefix.length)).includes(sought)) return
      if (total >= skip && total < skip + limit)
        listed.push([line.slice(0, line.indexOf(" ")) as ObjectId, name as RefName])
      total += 1
    }
    const args = ["for-each-ref", "--format=%(objectname) %(refname)", "--", folder === "" ? "refs/" : folder]
    yield* programs.stream({ folder: repository.folder, args }).pipe(
      Stream.decodeText(),
      Stream.runForEach((text) =>
        Effect.sync(() => {
          const lines = `${rest}${text}`.split("\n")
          rest = lines.pop() ?? ""
          for (const line of lines) take(line)
        })
      ),
      orDie
    )
    return { listed, total }
  })

  /** Streams the bytes from `from` to `to` of a blob that is too large to be read into memory. */
  const large = (repository: Repository, blob: ObjectId, from: number, to: number) =>
    Stream.suspend(() => {
      let at = 0
      return programs.stream({ folder: repository.folder, args: ["cat-file", "blob", blob] }).pipe(
        Stream.catchTag("GitFailed", (failed) => Stream.die(failed)),
        Stream.map((piece) => {
          const begin = at
          at += piece.length
          return piece.subarray(Math.max(from - begin, 0), Math.max(to - begin, 0))
        }),
        Stream.takeUntil(() => at >= to),
        Stream.filter(({ length }) => length > 0)
      )
    })

  return GitReader.of({
    ...histories(store),
    ...differences(store),
    ...blame(store),
    format: (id) => Effect.map(store.find(id), (repository) => repository?.format),
    resolve: (id, revision) => {
      const { base, steps } = revisionParts(revision)
      return store.on(id, undefined, (repository) => resolve(repository, base, steps))
    },
    refs: (id, prefix, { page, perPage }, containing = "") =>
      store.on(id, { rows: [], total: 0 }, (repository) =>
        Effect.gen(function* () {
          // No ref has such a name, and git would interpret it as a pattern.
          if (!/^(?:refs\/[^\s*?[\\]*)?$/.test(prefix)) return { rows: [], total: 0 }
          const { listed, total } = yield* listRefs(repository, prefix, (page - 1) * perPage, perPage, containing)
          const rows = yield* withKinds(repository, listed)
          return { rows, total }
        })
      ),
    objects: (id, ids, most) =>
      store.on(
        id,
        ids.map(() => undefined),
        (repository) => store.objects(repository, ids, most)
      ),
    commits: (id, ids) =>
      store.on(
        id,
        ids.map(() => undefined),
        (repository) => store.commits(repository, ids)
      ),
    content: (id, blob, range) =>
      Stream.unwrap(
        store.on(id, Stream.empty as Stream.Stream<Uint8Array, GitOverloaded>, (repository) =>
          Effect.map(store.objects(repository, [blob], small), ([found]) => {
            if (found?.kind !== "blob") return Stream.empty
            const from = Math.min(range?.offset ?? 0, found.size)
            const to = Math.min(from + (range?.length ?? found.size), found.size)
            if (from === to) return Stream.empty
            return found.content === undefined
              ? large(repository, blob, from, to)
              : Stream.make(found.content.subarray(from, to))
          })
        )
      ),
    sizes: (id, ids) =>
      store.on(
        id,
        ids.map(() => undefined),
        (repository) => store.sizes(repository, ids)
      ),
    tree: (id, of, { page, perPage, recursive }) =>
      store.on(id, { rows: [], total: 0 }, (repository) =>
        Effect.gen(function* () {
          const [from, to] = [(page - 1) * perPage, page * perPage]
          if (!recursive) {
            const entries = (yield* store.entries(repository, of)) ?? []
            return { rows: entries.slice(from, to), total: entries.length }
          }
          const root = yield* store.treeOf(repository, of)
          if (root === undefined) return { rows: [], total: 0 }
          const args = ["ls-tree", "-r", "-t", "-z", "--full-tree", root]
          const listed = yield* store.answers.remember(
            repository,
            `tree ${root}`,
            Effect.map(orDie(programs.run({ folder: repository.folder, args })), ({ output }) =>
              tokensOf(output).map(treeLine)
            ),
            (rows) => rows.reduce((size, { path }) => size + 250 + 2 * path.length, 0)
          )
          return { rows: listed.slice(from, to), total: listed.length }
        })
      ),
    entries: (id, of, paths) =>
      store.on(
        id,
        paths.map(() => undefined),
        (repository) => findEntries(store, repository, of, paths)
      ),
    note: (id, notes, of) =>
      store.on(id, undefined, (repository) =>
        Effect.gen(function* () {
          const head = yield* resolve(repository, notes, "")
          if (head?.commit === undefined || head.ref !== notes || !isObjectId(of)) return undefined
          const paths = fanOuts.map((depth) => fannedOut(of, depth))
          const found = yield* findEntries(store, repository, head.commit, paths)
          const entry = found.find((each) => each?.kind === "blob")
          return entry === undefined
            ? undefined
            : ({ blob: entry.id, path: entry.path, commit: head.commit } satisfies Note)
        })
      )
  })
}
