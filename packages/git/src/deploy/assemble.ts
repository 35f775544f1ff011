import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import {
  CheckoutFailed,
  deepestSubmodule,
  isCommit,
  mostSubmodules,
  type OpenedRepository,
  submoduleOf,
  withoutSecrets
} from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import type { OutboundConnections } from "../remote/http.ts"
import { fetchCommit, type Head, newRepository } from "./fetch.ts"
import { withLfs } from "./lfsFiles.ts"
import type { FetchLimits } from "./limits.ts"
import type { Keys } from "./relay.ts"
import { openTransport } from "./transport.ts"
import { countIn, gitIn, mostFiles, type Trees, tooMany, unreadable, withEntries, withinTop } from "./trees.ts"

/** The options of one checkout, and how many files and submodules it may still add (`left`). */
export interface Assembling {
  readonly out: { readonly egress: OutboundConnections; readonly keys: Keys }
  readonly limits: FetchLimits
  readonly submodules: boolean
  readonly lfs: boolean
  /** A private folder with a subfolder for each submodule; a short path, because Unix socket paths are limited. */
  readonly top: string
  readonly left: { files: number; submodules: number }
}

/** Returns how many files and submodules a new checkout may add. */
export const roomOf = () => ({ files: mostFiles, submodules: mostSubmodules })

interface CheckoutTarget {
  /** Null if only a commit is known. */
  readonly head: Head | null
  readonly commit: string
}

/** A fetched repository, and the id of its tree, into which submodules and LFS files are merged. */
interface Assembled {
  readonly bare: string
  readonly commit: string
  readonly tree: string
}

interface Submodule {
  readonly path: string
  readonly url: string
  readonly commit: string
}

const failing = (because: string) => Effect.fail(new CheckoutFailed({ because }))
const file = ".gitmodules"
const largestFile = 1_024 * 1_024

/** Parses the settings of submodules from `git config --list -z`: the address for each path. */
const addressesIn = (listed: string): ReadonlyMap<string, string> => {
  const found = new Map<string, { path?: string; url?: string }>()
  for (const each of listed.split("\0")) {
    const [, name = "", key, value = ""] = /^submodule\.(.+)\.(path|url)\n(.*)$/s.exec(each) ?? []
    if (key === "path" || key === "url") found.set(name, { ...found.get(name), [key]: value })
  }
  return new Map(
    [...found.values()].flatMap(({ path, url }) =>
      path === undefined || url === undefined ? [] : [[path, url] as const]
    )
  )
}

/** Finds the submodules of a tree: those with a commit in the tree and an address in `.gitmodules`. */
const submodulesIn = Effect.fnUntraced(function* (trees: Trees, tree: string) {
  const git = gitIn(trees)
  const entries = (paths: ReadonlyArray<string>) =>
    Effect.map(git(["ls-tree", "-z", "-l", "--full-tree", tree, "--", ...paths]), (said) => said.split("\0"))
  const [found = ""] = yield* Effect.mapError(entries([file]), unreadable)
  const [, id, size] = /^100\d{3} blob ([0-9a-f]+) +(\d+)\t/.exec(found) ?? []
  if (id === undefined || Number(size) > largestFile) return []
  const listed = yield* Effect.mapError(
    git(["config", `--blob=${id}`, "--no-includes", "-z", "--list"], { output: 2 * largestFile }),
    () => new CheckoutFailed({ because: `\`${file}\` isn't one that git reads` })
  )
  const addresses = addressesIn(listed)
  if (addresses.size > mostSubmodules) return yield* failing(`\`${file}\` names more than ${mostSubmodules} submodules`)
  // A path in another form than git's doesn't match any in the tree.
  const paths = [...addresses.keys()].filter((path) => path !== "" && withinTop(path) === path)
  if (paths.length === 0) return []
  return (yield* Effect.mapError(entries(paths), unreadable)).flatMap((entry): ReadonlyArray<Submodule> => {
    const [, commit = "", path = ""] = /^160000 commit ([0-9a-f]+) +-\t(.*)$/s.exec(entry) ?? []
    const url = addresses.get(path)
    return url === undefined || !isCommit(commit) ? [] : [{ path, url, commit }]
  })
})

/** Adds the objects of other repositories to a repository as alternates. */
const addAlternates = (bare: string, others: ReadonlyArray<Assembled>) =>
  Effect.tryPromise({
    try: () =>
      writeFile(
        join(bare, "objects", "info", "alternates"),
        others.map((other) => `${join(other.bare, "objects")}\n`).join("")
      ),
    catch: unreadable
  })

/** Makes the folder of a submodule; names from the repository are never part of its path. */
const folderIn = (top: string, number: number) => {
  const path = join(top, `submodule-${number}`)
  return Effect.as(Effect.tryPromise({ try: () => mkdir(path, { mode: 0o700 }), catch: unreadable }), path)
}

/**
 * Fetches a commit with its LFS files and its submodules, recursively.
 *
 * Each submodule is fetched into a separate local repository, so that no git host learns which objects came from
 * another host.
 */
export const assemble = Effect.fnUntraced(function* (
  assembling: Assembling,
  opened: OpenedRepository,
  { commit: wanted, head }: CheckoutTarget,
  folder: string,
  depth = 0
): Effect.fn.Return<Assembled, CheckoutFailed> {
  const { left, limits, out } = assembling
  const bare = yield* newRepository(folder)
  const trees: Trees = { bare, folder, limits }
  const commit = yield* Effect.scoped(
    Effect.flatMap(openTransport(out, opened.address, opened.access, folder), (transport) =>
      fetchCommit({ bare, transport, head, commit: wanted, folder, limits })
    )
  )
  const git = gitIn(trees)
  const own = (yield* Effect.mapError(git(["rev-parse", "--verify", `${commit}^{tree}`]), unreadable)).trim()
  if (!assembling.lfs && !assembling.submodules) return { bare, commit, tree: own }
  left.files -= yield* countIn(trees, own)
  if (left.files < 0) return yield* tooMany()
  const tree = assembling.lfs ? yield* withLfs({ ...trees, ...opened, out }, own) : own
  const submodules = assembling.submodules ? yield* submodulesIn(trees, own) : []
  if (submodules.length === 0) return { bare, commit, tree }
  if (depth === deepestSubmodule) {
    return yield* failing(`submodules are nested more than ${deepestSubmodule} levels deep`)
  }
  const fetched = yield* Effect.forEach(submodules, ({ commit: asked, path, url }) =>
    Effect.gen(function* () {
      left.submodules -= 1
      if (left.submodules < 0) return yield* failing(`there are more than ${mostSubmodules} submodules`)
      const found = submoduleOf(head?._tag === "PullRequest" ? withoutSecrets(opened) : opened, url)
      if (found === undefined) return yield* failing("its address is not that of a repository")
      const inside = yield* folderIn(assembling.top, left.submodules)
      const submodule = yield* assemble(assembling, found, { head: null, commit: asked }, inside, depth + 1)
      return { ...submodule, path }
    }).pipe(Effect.mapError(({ because }) => new CheckoutFailed({ because: `the submodule \`${path}\`: ${because}` })))
  )
  yield* addAlternates(bare, fetched)
  const gone = submodules.map(({ commit: asked, path }) => {
    const nothing = "0".repeat(asked.length)
    return `0 ${nothing}\t${Buffer.from(path, "utf8").toString("latin1")}`
  })
  return { bare, commit, tree: yield* Effect.mapError(withEntries(trees, tree, gone, fetched), unreadable) }
})
