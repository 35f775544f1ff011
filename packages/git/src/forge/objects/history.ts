import {
  type Divergence,
  decodePath,
  encodePath,
  type GitReader,
  type History,
  isEntryPath,
  type ObjectId,
  type TreeEntry
} from "@slipway/domain/forge/code"
import { Effect, Stream } from "effect"
import { LRUCache } from "lru-cache"
import { orDie, type Repository, type Store } from "./store.ts"

const encoder = new TextEncoder()

/** Returns a git pathspec that matches exactly one path; bytes that are not UTF-8 become wildcards. */
export const pathspec = (path: string): string =>
  path.isWellFormed()
    ? `:(literal)${path}`
    : `:(glob)${path.replace(/[[\]*?\\]/g, "\\$&").replace(/[\udc80-\udcff]/gu, "?")}`

const exact = (path: string): Uint8Array => encodePath(`:(literal)${path}`)

const filters = ({ author, childrenFirst, firstParent, since, until }: History): ReadonlyArray<string> => [
  ...(author === undefined ? [] : ["--fixed-strings", "--regexp-ignore-case", `--author=${author}`]),
  ...(since === undefined ? [] : [`--max-age=${since}`]),
  ...(until === undefined ? [] : [`--min-age=${until}`]),
  ...(firstParent === true ? ["--first-parent"] : []),
  ...(childrenFirst === true ? ["--topo-order"] : [])
]

/** Returns the standard input of `git log --stdin`: start commits, excluded commits, and paths. */
const revisionInput = (
  from: ReadonlyArray<ObjectId>,
  not: ReadonlyArray<ObjectId>,
  paths: ReadonlyArray<string>
): Uint8Array =>
  Buffer.concat([
    ...[...from, ...not.map((id) => `^${id}`)].map((line) => encoder.encode(`${line}\n`)),
    encoder.encode("--\n"),
    ...paths.flatMap((path) => [exact(path), encoder.encode("\n")])
  ])

const lines = (output: Buffer): ReadonlyArray<string> =>
  output
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "")

/**
 * How many recent commits are searched for all paths together (`latest`), and up to how many remaining paths are then
 * searched one by one (`few`).
 */
const latest = 1_000
const few = 32

/** Returns the only path, or the deepest folder that contains all paths; an empty array for the top folder. */
const sharedFolder = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first = ""] = paths
  if (paths.length === 1) return [first]
  const parts = first.split("/").slice(0, -1)
  while (parts.length > 0 && !paths.every((path) => path.startsWith(`${parts.join("/")}/`))) parts.pop()
  return parts.length === 0 ? [] : [parts.join("/")]
}

/** Returns the cache key for the output of a git command: its arguments and its input. */
const questionOf = (args: ReadonlyArray<string>, input: Uint8Array): string =>
  `${args.join(" ")}\n${Buffer.from(input).toString("latin1")}`

interface Walk {
  readonly args: ReadonlyArray<string>
  readonly input: Uint8Array
}

/** Makes the functions that read the commit history. */
export const histories = (store: Store): Pick<GitReader["Service"], "count" | "divergence" | "lastCommits" | "log"> => {
  const { programs } = store
  /** Caches how far pairs of commits are ahead and behind, which never changes. */
  const divergences = new LRUCache<string, Divergence>({ max: 10_000 })
  /** Returns those ids that are existing commits, because git fails on other ids. */
  const present = (repository: Repository, ids: ReadonlyArray<ObjectId>) =>
    Effect.map(store.commits(repository, ids), (found) => ids.filter((_, at) => found[at] !== undefined))

  /** Returns arguments and input of `git log` for a history; undefined if the history is empty. */
  const walk = Effect.fnUntraced(function* (repository: Repository, history: History) {
    const { not = [], path } = history
    // No name contains these, and git takes each line as a separate pattern.
    if (/[\0\n]/.test(history.author ?? "")) return undefined
    const from = yield* present(repository, history.from)
    // Paths are given one per line.
    if (from.length === 0 || (path !== undefined && (!isEntryPath(path) || path.includes("\n")))) return undefined
    const input = revisionInput(from, yield* present(repository, not), path === undefined ? [] : [path])
    return { args: filters(history), input } satisfies Walk
  })

  const run = (repository: Repository, args: ReadonlyArray<string>, input?: Uint8Array) =>
    orDie(programs.run({ folder: repository.folder, args, ...(input === undefined ? {} : { input }) }))

  /** Finds the last commit that changed each path, among the `most` newest commits that changed their shared folder. */
  const lastAmong = Effect.fnUntraced(function* (
    repository: Repository,
    commit: ObjectId,
    wanted: ReadonlyMap<string, ObjectId>,
    most: number | undefined
  ) {
    const found = new Map<string, ObjectId>()
    const args = [
      ...["log", "--stdin", "-z", "-c", "-t", "--raw", "--no-abbrev", "--no-renames", "--format=%x01%H"],
      ...(most === undefined ? [] : [`--max-count=${most}`])
    ]
    // For a single path, git knows which commits can't have changed it.
    const input = revisionInput([commit], [], sharedFolder([...wanted.keys()]))
    let at: ObjectId | undefined
    let line: string | undefined
    const take = (token: Buffer): void => {
      if (line !== undefined) {
        const path = decodePath(token)
        const left = line.trimEnd().split(" ")
        // The last name before the status is the new one.
        if (at !== undefined && !found.has(path) && wanted.get(path) === left.at(-2)) found.set(path, at)
        line = undefined
        return
      }
      const text = token.toString("latin1").replace(/^\n/, "")
      if (text.startsWith("\u0001")) at = text.slice(1) as ObjectId
      else if (text.startsWith(":")) line = text
    }
    let rest: Buffer = Buffer.alloc(0)
    yield* programs.stream({ folder: repository.folder, args, input }).pipe(
      Stream.takeUntil((piece) => {
        let bytes =
          rest.length === 0 ? Buffer.from(piece.buffer, piece.byteOffset, piece.length) : Buffer.concat([rest, piece])
        for (let zero = bytes.indexOf(0); zero >= 0; zero = bytes.indexOf(0)) {
          take(bytes.subarray(0, zero))
          bytes = bytes.subarray(zero + 1)
        }
        rest = bytes
        return found.size === wanted.size
      }),
      Stream.runDrain,
      orDie
    )
    return found
  })

  const mergeBaseOf = (repository: Repository, base: ObjectId, head: ObjectId) =>
    // The exit code is 1 if there is none.
    orDie(programs.run({ folder: repository.folder, args: ["merge-base", base, head], mayEnd: [1] })).pipe(
      Effect.map(({ output }) => lines(output)[0] as ObjectId | undefined)
    )

  /**
   * Returns the last commit of each path: first from recent commits, then path by path if few are left, else from all
   * commits.
   */
  const lastCommits = Effect.fnUntraced(function* (
    repository: Repository,
    commit: ObjectId,
    wanted: ReadonlyMap<string, ObjectId>
  ) {
    const found = yield* lastAmong(repository, commit, wanted, latest)
    const left = new Map([...wanted].filter(([path]) => !found.has(path)))
    if (left.size > few) return yield* lastAmong(repository, commit, wanted, undefined)
    const args = ["rev-list", "--max-count=1", "--stdin"]
    const last = yield* Effect.forEach(
      [...left.keys()],
      (path) =>
        Effect.map(
          run(repository, args, revisionInput([commit], [], [path])),
          ({ output }) => [path, lines(output)[0]] as const
        ),
      { concurrency: 4 }
    )
    for (const [path, id] of last) if (id !== undefined) found.set(path, id as ObjectId)
    return found
  })

  return {
    log: (id, history, { limit, skip }) =>
      store.on(id, [], (repository) =>
        Effect.gen(function* () {
          const how = yield* walk(repository, history)
          if (how === undefined || limit <= 0) return []
          const args = ["rev-list", `--skip=${skip}`, `--max-count=${limit}`, ...how.args, "--stdin"]
          return yield* store.answers.remember(
            repository,
            questionOf(args, how.input),
            Effect.map(run(repository, args, how.input), ({ output }) => lines(output) as ReadonlyArray<ObjectId>),
            ({ length }) => length * 100
          )
        })
      ),
    count: (id, history) =>
      store.on(id, 0, (repository) =>
        Effect.gen(function* () {
          const how = yield* walk(repository, history)
          if (how === undefined) return 0
          const args = ["rev-list", "--count", ...how.args, "--stdin"]
          return yield* store.answers.remember(
            repository,
            questionOf(args, how.input),
            Effect.map(run(repository, args, how.input), ({ output }) => Number(output.toString("latin1"))),
            () => 0
          )
        })
      ),
    divergence: (id, base, head) =>
      store.on(id, undefined, (repository) =>
        Effect.gen(function* () {
          if ((yield* present(repository, [base, head])).length < 2) return undefined
          const key = `${repository.key} ${base} ${head}`
          const known = divergences.get(key)
          if (known !== undefined) return known
          const counted = yield* run(repository, ["rev-list", "--left-right", "--count", `${base}...${head}`, "--"])
          const [behind = 0, ahead = 0] = counted.output.toString("latin1").trim().split("\t").map(Number)
          const mergeBase = behind === 0 ? base : ahead === 0 ? head : yield* mergeBaseOf(repository, base, head)
          const found: Divergence = { mergeBase, ahead, behind }
          divergences.set(key, found)
          return found
        })
      ),
    lastCommits: (id, commit, paths) =>
      store.on(id, new Map(), (repository) =>
        Effect.gen(function* () {
          const [known] = yield* store.commits(repository, [commit])
          if (known === undefined) return new Map()
          const wanted = new Map<string, ObjectId>()
          const found = yield* findEntries(store, repository, known.tree, paths)
          for (const entry of found) {
            if (entry !== undefined && entry.path !== "" && !entry.path.includes("\n")) wanted.set(entry.path, entry.id)
          }
          if (wanted.size === 0) return new Map()
          return yield* store.answers.remember(
            repository,
            `last ${commit} ${[...wanted.keys()].join("\n")}`,
            lastCommits(repository, commit, wanted),
            (last) => last.size * 200
          )
        })
      )
  }
}

/** Finds entries by path in a tree or in the tree of a commit; returns them in the order of `paths`. */
export const findEntries = (store: Store, repository: Repository, of: ObjectId, paths: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const root = yield* store.treeOf(repository, of)
    // Each folder is read as a map by name, since many paths may be in one large folder.
    const folders = new Map<ObjectId, ReadonlyMap<string, TreeEntry>>()
    const folderOf = Effect.fnUntraced(function* (id: ObjectId) {
      const known = folders.get(id)
      if (known !== undefined) return known
      const found = yield* store.entries(repository, id)
      const byName = new Map(found?.toReversed().map((entry) => [entry.path, entry]))
      folders.set(id, byName)
      return byName
    })
    return yield* Effect.forEach(paths, (path) =>
      Effect.gen(function* () {
        if (root === undefined) return undefined
        let at: TreeEntry = { path: "", mode: "040000", kind: "tree", id: root }
        if (path === "") return at
        if (!isEntryPath(path)) return undefined
        for (const name of path.split("/")) {
          if (at.kind !== "tree") return undefined
          const next: TreeEntry | undefined = (yield* folderOf(at.id)).get(name)
          if (next === undefined) return undefined
          at = next
        }
        return { ...at, path }
      })
    )
  })
