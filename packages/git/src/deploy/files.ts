import { dirname, join } from "node:path"
import { type Checkout, CheckoutFailed, type Entry } from "@slipway/domain/deploy"
import { privateFolder } from "@slipway/subprocess"
import { Effect, Stream } from "effect"
import { type GitFailed, runGit, streamGit } from "../program.ts"
import { checkouts, cutLinksOut } from "./folders.ts"
import { type FetchLimits, tooLarge } from "./limits.ts"

interface CheckoutRequest {
  readonly bare: string
  readonly commit: string
  readonly folder: string
  readonly limits: FetchLimits
}

interface Found {
  readonly kind: Entry
  readonly id: string
  readonly size: number
}

const largestText = 1_024 * 1_024
const longestPath = 4_096
const mostFiles = 500_000
const settings = ["core.fsync=none", "core.bigFileThreshold=16m", "tar.umask=022"]
const nobody = { NAME: "slipway", EMAIL: "slipway@localhost" }

const failing = (because: string) => Effect.fail(new CheckoutFailed({ because }))
const tooMany = () => new CheckoutFailed({ because: `the repository has more than ${mostFiles} files` })
const unreadable = () => new CheckoutFailed({ because: "the repository can't be read" })

/** The path below the top folder; nothing for one that can't be in a repository. */
const withinTop = (path: string): string | undefined => {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".")
  return parts.includes("..") || path.includes("\0") || path.length > longestPath ? undefined : parts.join("/")
}

const kinds: Readonly<Record<string, Entry>> = {
  "040000": "folder",
  "100644": "file",
  "100755": "file",
  "120000": "link"
}

/** Reads one line of `ls-tree -l`: mode, type, id and size, then the path after a tab. */
const foundIn = (line: string): Found | undefined => {
  const [, mode = "", id = "", size = ""] = /^(\d{6}) \w+ ([0-9a-f]+) +(\d+|-)\t/.exec(line) ?? []
  const kind = kinds[mode]
  return kind === undefined ? undefined : { kind, id, size: Number(size) || 0 }
}

/** Returns the files of a commit that is in a repository. */
export const checkoutOf = Effect.fnUntraced(function* ({ bare, commit, folder, limits }: CheckoutRequest) {
  let indexes = 0
  const freshIndex = () => join(folder, `index-${++indexes}`)
  const git = (
    args: ReadonlyArray<string>,
    more: {
      readonly input?: string
      readonly environment?: Readonly<Record<string, string>>
      readonly output?: number
    } = {}
  ): Effect.Effect<string, GitFailed> =>
    runGit(
      {
        args: [`--git-dir=${bare}`, ...args],
        settings,
        input: more.input ?? "",
        environment: { GIT_LITERAL_PATHSPECS: "1", ...more.environment }
      },
      { timeout: limits.timeout, output: more.output ?? 2 * largestText }
    )

  const described = yield* Effect.mapError(
    git(["log", "--no-walk", "--no-show-signature", "--format=%T%n%ct%n%B", commit], { output: 2 ** 24 }),
    unreadable
  )
  const [top = "", seconds = "", subject = ""] = described.split("\n")

  const find = (path: string): Effect.Effect<Found | undefined, CheckoutFailed> => {
    const within = withinTop(path)
    if (within === undefined) return Effect.undefined
    if (within === "") return Effect.succeed({ kind: "folder", id: top, size: 0 })
    return git(["ls-tree", "-z", "-l", "--full-tree", commit, "--", within]).pipe(
      Effect.mapBoth({ onFailure: unreadable, onSuccess: foundIn })
    )
  }

  /** Refuses trees whose files would fill the disk, however small they are packed (invariant I25). */
  const bounded = Effect.fnUntraced(function* (tree: string) {
    // Counted first, with folders: a tree can hold others so often that even adding up the sizes would take for ever.
    const counted = git(["ls-tree", "-r", "-t", "--format=f", "--full-tree", tree], { output: 2 * mostFiles })
    yield* Effect.mapError(counted, tooMany)
    const sizes = yield* Effect.mapError(
      git(["ls-tree", "-r", "--format=%(objectsize)", "--full-tree", tree], { output: 16 * mostFiles }),
      unreadable
    )
    const size = sizes.split("\n").reduce((sum, each) => sum + (Number(each) || 0), 0)
    if (size > limits.size) return yield* tooLarge(limits)
  })

  /** Puts files into a tree, in place of whatever is in their way, and gives the tree that comes of it. */
  const withAdded = Effect.fnUntraced(function* (tree: string, added: Readonly<Record<string, string>>) {
    const environment = { GIT_INDEX_FILE: freshIndex() }
    const lines = yield* Effect.forEach(Object.entries(added), ([path, content]) => {
      const within = withinTop(path)
      if (within === undefined || within === "") return failing(`\`${path}\` can't be the path of a file`)
      // By its input, and not as an argument, which every user of the machine could read.
      return git(["hash-object", "-w", "--stdin"], { input: content }).pipe(
        Effect.mapBoth({ onFailure: unreadable, onSuccess: (id) => `100644 ${id.trim()}\t${within}\0` })
      )
    })
    yield* Effect.mapError(git(["read-tree", tree], { environment }), unreadable)
    yield* Effect.mapError(
      git(["update-index", "-z", "--index-info"], { environment, input: lines.join("") }),
      () => new CheckoutFailed({ because: "a file that is added has a path that git doesn't take" })
    )
    return (yield* Effect.mapError(git(["write-tree"], { environment }), unreadable)).trim()
  })

  // Archives of commits have the moment of the commit, so that the same files make the same archive.
  const date = `@${Number(seconds) || 0} +0000`
  const dated = (tree: string) =>
    git(["commit-tree", "-m", "archive", tree], {
      environment: {
        GIT_AUTHOR_NAME: nobody.NAME,
        GIT_AUTHOR_EMAIL: nobody.EMAIL,
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_NAME: nobody.NAME,
        GIT_COMMITTER_EMAIL: nobody.EMAIL,
        GIT_COMMITTER_DATE: date
      }
    }).pipe(Effect.mapBoth({ onFailure: unreadable, onSuccess: (id) => id.trim() }))

  const archived = Effect.fnUntraced(function* (path: string, added: Readonly<Record<string, string>>) {
    const found = yield* find(path)
    if (found?.kind !== "folder") return yield* failing(`there is no folder \`${path}\``)
    yield* bounded(found.id)
    const tree = Object.keys(added).length === 0 ? found.id : yield* withAdded(found.id, added)
    const args = [`--git-dir=${bare}`, "archive", "--format=tar", yield* dated(tree)]
    return Stream.mapError(streamGit({ args, settings }), unreadable)
  })

  return {
    commit,
    subject,
    entry: (path) => Effect.map(find(path), (found) => found?.kind),
    readText: (path) =>
      Effect.flatMap(find(path), (found) =>
        found?.kind === "file" && found.size <= largestText
          ? Effect.mapError(git(["cat-file", "blob", found.id]), unreadable)
          : Effect.undefined
      ),
    archive: (path, added = {}) => Stream.unwrap(archived(path, added)),
    directory: Effect.gen(function* () {
      yield* bounded(top)
      const directory = yield* privateFolder(checkouts, dirname(folder))
      const environment = { GIT_INDEX_FILE: freshIndex() }
      yield* git(["read-tree", top], { environment }).pipe(
        Effect.andThen(git([`--work-tree=${directory}`, "checkout-index", "--all", "--quiet"], { environment })),
        Effect.mapError(unreadable)
      )
      yield* cutLinksOut(directory)
      return directory
    })
  } satisfies Checkout as Checkout
})
