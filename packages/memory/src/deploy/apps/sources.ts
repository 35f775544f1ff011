import {
  type Checkout,
  CheckoutFailed,
  deepestSubmodule,
  type Entry,
  type ListingRequest,
  mostSubmodules,
  type OpenedRepository,
  type RepositoryAccess,
  readRepositoryAddress,
  Sources,
  submoduleOf,
  withoutSecrets
} from "@slipway/domain/deploy/apps"
import { archiveOf } from "@slipway/domain/deploy/containers"
import { Context, Effect, Layer, Redacted, Stream } from "effect"
import { Tar } from "effect/encoding"

/**
 * A commit of a simulated repository, with all of its files by path. A file with content that begins with `-> ` is a
 * symlink to the path after it.
 */
export interface SimulatedCommit {
  readonly message: string
  readonly files: Readonly<Record<string, string>>
  /** The commit ids of submodules, by path. Their URLs are in the file `.gitmodules`. */
  readonly submodules?: Readonly<Record<string, string>>
}

/** Creates repositories and commits in memory for tests. */
export class SourceSimulation extends Context.Service<
  SourceSimulation,
  {
    /** Creates a repository that accepts only requests with this access. */
    readonly repository: (address: string, access: RepositoryAccess) => Effect.Effect<void>
    /** Puts a commit on top of a branch, and returns its id. */
    readonly commit: (address: string, branch: string, commit: SimulatedCommit) => Effect.Effect<string>
    /** The files that were written into a directory. */
    readonly list: (directory: string) => Effect.Effect<Readonly<Record<string, string>>>
  }
>()("@slipway/memory/deploy/SourceSimulation") {}

interface StoredCommit extends SimulatedCommit {
  readonly sha: string
}
interface Repository {
  readonly access: RepositoryAccess
  readonly branches: Map<string, StoredCommit>
  readonly commits: Array<StoredCommit>
}

const largestText = 1_024 * 1_024
const arrow = "-> "
const isLink = (content: string) => content.startsWith(arrow)
const sizeOf = (text: string) => new TextEncoder().encode(text).length

const failing = (because: string) => Effect.fail(new CheckoutFailed({ because }))

const refusal = (needed: RepositoryAccess, shown: RepositoryAccess): string | undefined => {
  if (needed._tag === "Anyone") return undefined
  if (shown._tag === "Anyone") return "the repository requires credentials"
  const isSame =
    needed._tag === "Token"
      ? shown._tag === "Token" &&
        shown.username === needed.username &&
        Redacted.value(shown.token) === Redacted.value(needed.token)
      : shown._tag === "Key" && Redacted.value(shown.privateKey) === Redacted.value(needed.privateKey)
  return isSame ? undefined : "the repository rejects these credentials"
}

/** Returns a path relative to the root of the repository; undefined for a path that leads out of it. */
const withinTop = (path: string): string | undefined => {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".")
  return parts.includes("..") ? undefined : parts.join("/")
}

const hasBelow = (files: Readonly<Record<string, string>>, folder: string) =>
  folder === "" || Object.keys(files).some((path) => path.startsWith(`${folder}/`))

const entryIn = (files: Readonly<Record<string, string>>, path: string): Entry | undefined => {
  const within = withinTop(path)
  if (within === undefined) return undefined
  const content = files[within]
  if (content !== undefined) return isLink(content) ? "link" : "file"
  return hasBelow(files, within) ? "folder" : undefined
}

const packed = (files: Readonly<Record<string, string>>, folder: string, added: Readonly<Record<string, string>>) => {
  const within = withinTop(folder) ?? ""
  const below = within === "" ? "" : `${within}/`
  const entries = Object.entries(files).flatMap(([path, content]) =>
    path.startsWith(below) ? [[path.slice(below.length), content] as const] : []
  )
  const more = Object.entries(added).map(([path, content]) => [withinTop(path) ?? "", content] as const)
  const replaced = new Set(more.map(([path]) => path))
  return archiveOf([
    ...entries
      .filter(([path]) => !replaced.has(path))
      .map(([path, content]) =>
        isLink(content) ? Tar.symlink(path, content.slice(arrow.length)) : Tar.file(path, content)
      ),
    ...more.map(([path, content]) => Tar.file(path, content))
  ])
}

/** Parses a `.gitmodules` file into the URL of each submodule, by path. */
const addressesIn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(/^\[submodule "[^"]*"\]$/m).flatMap((section) => {
      const [, path] = /^\s*path = (.*)$/m.exec(section) ?? []
      const [, url] = /^\s*url = (.*)$/m.exec(section) ?? []
      return path === undefined || url === undefined ? [] : [[path, url] as const]
    })
  )

/** Returns whether a symlink resolves to a file or folder of the same tree. It may lead through other symlinks. */
const leadsInside = (files: Readonly<Record<string, string>>, link: string, steps = 0): boolean => {
  const content = files[link]
  if (content === undefined) return link !== "" && hasBelow(files, link)
  if (!isLink(content)) return true
  const target = content.slice(arrow.length)
  if (target.startsWith("/") || steps > 40) return false
  const parts = link.split("/").slice(0, -1)
  for (const part of target.split("/").filter((each) => each !== "" && each !== ".")) {
    if (part !== "..") parts.push(part)
    else if (parts.pop() === undefined) return false
  }
  return leadsInside(files, parts.join("/"), steps + 1)
}

const written = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).filter(([path]) => leadsInside(files, path)))

const make = Effect.sync(() => {
  const repositories = new Map<string, Repository>()
  const directories = new Map<string, Readonly<Record<string, string>>>()
  let counted = 0

  const checkoutOf = ({ files, message, sha }: StoredCommit): Checkout => ({
    commit: sha,
    subject: message.split("\n")[0] ?? "",
    entry: (path) => Effect.sync(() => entryIn(files, path)),
    readText: (path) =>
      Effect.sync(() => {
        const content = files[withinTop(path) ?? ""]
        return content === undefined || isLink(content) || sizeOf(content) > largestText ? undefined : content
      }),
    archive: (folder, added = {}) =>
      Stream.suspend(() =>
        entryIn(files, folder) === "folder"
          ? packed(files, folder, added)
          : Stream.fromEffect(failing(`there is no folder \`${folder}\``))
      ),
    directory: Effect.acquireRelease(
      Effect.sync(() => {
        const path = `/simulated/${++counted}`
        directories.set(path, written(files))
        return path
      }),
      (path) => Effect.sync(() => directories.delete(path))
    )
  })

  const found = ({ branches, commits }: Repository, branch: string, commit: string) => {
    const newest = branches.get(branch)
    if (newest === undefined) return failing(`there is no branch \`${branch}\``)
    if (commit === "HEAD") return Effect.succeed(newest)
    const asked = commits.filter(({ sha }) => sha.startsWith(commit.toLowerCase()))
    const [only] = asked
    return only === undefined || asked.length > 1
      ? failing(`there is no commit \`${commit}\` in the branch \`${branch}\``)
      : Effect.succeed(only)
  }

  const opened = ({ access, address }: OpenedRepository) => {
    const isIt = (text: string): boolean => {
      const known = readRepositoryAddress(text)
      return address._tag === "Http"
        ? known?._tag === "Http" && known.url === address.url
        : known?._tag === "Ssh" && known.host === address.host && known.path === address.path
    }
    const repository = [...repositories].find(([text]) => isIt(text))?.[1]
    if (repository === undefined) return failing("there is no repository at this address")
    const refused = refusal(repository.access, access)
    return refused === undefined ? Effect.succeed(repository) : failing(refused)
  }

  /** Adds the files of the submodules of a commit to the files of the commit. */
  const withSubmodules = (
    from: OpenedRepository,
    commit: StoredCommit,
    left: { submodules: number },
    depth = 0
  ): Effect.Effect<StoredCommit, CheckoutFailed> =>
    Effect.gen(function* () {
      const addresses = addressesIn(commit.files[".gitmodules"] ?? "")
      const files = { ...commit.files }
      for (const [path, sha] of Object.entries(commit.submodules ?? {})) {
        const url = addresses.get(path)
        if (url === undefined) continue
        const fetched = Effect.gen(function* () {
          left.submodules -= 1
          if (left.submodules < 0 || depth === deepestSubmodule) return yield* failing("there are too many submodules")
          const found = submoduleOf(from, url)
          if (found === undefined) return yield* failing("its address is not that of a repository")
          const commit = (yield* opened(found)).commits.find((each) => each.sha === sha)
          if (commit === undefined) return yield* failing(`there is no commit \`${sha}\``)
          return yield* withSubmodules(found, commit, left, depth + 1)
        })
        const inside = yield* Effect.mapError(
          fetched,
          ({ because }) => new CheckoutFailed({ because: `the submodule \`${path}\`: ${because}` })
        )
        for (const [name, content] of Object.entries(inside.files)) files[`${path}/${name}`] = content
      }
      return { ...commit, files }
    })

  const entered = (address: string, access: RepositoryAccess) => {
    if (readRepositoryAddress(address) === undefined) return failing("this is not the address of a repository")
    const repository = repositories.get(address)
    if (repository === undefined) return failing("there is no repository at this address")
    const refused = refusal(repository.access, access)
    return refused === undefined ? Effect.succeed(repository) : failing(refused)
  }

  return Context.make(Sources, {
    list: Effect.fnUntraced(function* ({ access, branch: named, folder, repository: address, texts }: ListingRequest) {
      const repository = yield* entered(address, access)
      // A new repository's `HEAD` refers to `main`.
      const branch = named ?? (repository.branches.has("main") ? "main" : undefined)
      if (branch === undefined) {
        return yield* failing("the repository has no default branch: push a commit, or name a branch")
      }
      const { files, sha } = yield* found(repository, branch, "HEAD")
      if (entryIn(files, folder) !== "folder") {
        return yield* failing(`there is no folder \`${folder}\` on the branch \`${branch}\``)
      }
      const within = withinTop(folder) ?? ""
      const names = Object.entries(files).flatMap(([path, content]) => {
        const name = within === "" ? path : path.startsWith(`${within}/`) ? path.slice(within.length + 1) : "/"
        return name.includes("/") || isLink(content) ? [] : [name]
      })
      const read = texts.flatMap((name) => {
        const content = files[within === "" ? name : `${within}/${name}`]
        return !names.includes(name) || content === undefined || sizeOf(content) > largestText
          ? []
          : [[name, content] as const]
      })
      return { branch, commit: sha, names, texts: new Map(read) }
    }),
    checkout: ({ access, branch, commit, pullRequest, repository: address, submodules = false }) =>
      Effect.gen(function* () {
        const repository = yield* entered(address, access)
        const commits =
          pullRequest === undefined
            ? yield* found(repository, branch, commit)
            : yield* Effect.mapError(
                found(repository, `refs/pull/${pullRequest}/head`, commit),
                () => new CheckoutFailed({ because: `there is no pull request ${pullRequest}` })
              )
        const read = readRepositoryAddress(address)
        if (!submodules || read === undefined) return checkoutOf(commits)
        const left = { submodules: mostSubmodules }
        const from: OpenedRepository = { address: read, access }
        return checkoutOf(yield* withSubmodules(pullRequest === undefined ? from : withoutSecrets(from), commits, left))
      })
  }).pipe(
    Context.add(SourceSimulation, {
      repository: (address, access) =>
        Effect.sync(() => {
          repositories.set(address, { access, branches: new Map(), commits: [] })
        }),
      commit: (address, branch, commit) =>
        Effect.sync(() => {
          const repository = repositories.get(address)
          const storedCommit = { ...commit, sha: (++counted * 7_919).toString(16).padStart(8, "0").repeat(5) }
          repository?.branches.set(branch, storedCommit)
          repository?.commits.push(storedCommit)
          return storedCommit.sha
        }),
      list: (directory) => Effect.sync(() => directories.get(directory) ?? {})
    })
  )
})

/** Simulates source repositories in memory, with commits that tests make. */
export const sources: Layer.Layer<Sources | SourceSimulation> = Layer.effectContext(make)
