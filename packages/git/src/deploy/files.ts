import { dirname } from "node:path"
import { type Checkout, CheckoutFailed, type Entry } from "@slipway/domain/deploy/apps"
import { privateFolder } from "@slipway/subprocess"
import { Effect, Stream } from "effect"
import { streamGit } from "../program.ts"
import { checkouts, cutLinksOut } from "./folders.ts"
import { tooLarge } from "./limits.ts"
import {
  countIn,
  freshIndex,
  gitIn,
  mostFiles,
  type Trees,
  treeSettings,
  unreadable,
  withEntries,
  withinTop
} from "./trees.ts"

interface CheckoutRequest extends Trees {
  readonly commit: string
  /** The tree of the commit, with the content of submodules and LFS. */
  readonly tree: string
}

interface Found {
  readonly kind: Entry
  readonly id: string
  readonly size: number
}

const largestText = 1_024 * 1_024
const nobody = { NAME: "slipway", EMAIL: "slipway@localhost" }

const failing = (because: string) => Effect.fail(new CheckoutFailed({ because }))

/** Encodes a path in UTF-8, and returns each byte as one Latin-1 character, as in `lfsFiles.ts` and `ls-tree`. */
const bytesOf = (path: string): string => Buffer.from(path, "utf8").toString("latin1")

const kinds: Readonly<Record<string, Entry>> = {
  "040000": "folder",
  "100644": "file",
  "100755": "file",
  "120000": "link"
}

/** Parses one line of `ls-tree -l`: mode, type, id and size, then the path after a tab. */
const foundIn = (line: string): Found | undefined => {
  const [, mode = "", id = "", size = ""] = /^(\d{6}) \w+ ([0-9a-f]+) +(\d+|-)\t/.exec(line) ?? []
  const kind = kinds[mode]
  return kind === undefined ? undefined : { kind, id, size: Number(size) || 0 }
}

/** Returns the files of a commit in a repository. */
export const checkoutOf = Effect.fnUntraced(function* ({ commit, tree: top, ...trees }: CheckoutRequest) {
  const { bare, folder, limits } = trees
  const git = gitIn(trees)

  const described = yield* Effect.mapError(
    git(["log", "--no-walk", "--no-show-signature", "--format=%ct%n%B", commit], { output: 2 ** 24 }),
    unreadable
  )
  const [seconds = "", subject = ""] = described.split("\n")

  const find = (path: string): Effect.Effect<Found | undefined, CheckoutFailed> => {
    const within = withinTop(path)
    if (within === undefined) return Effect.undefined
    if (within === "") return Effect.succeed({ kind: "folder", id: top, size: 0 })
    return git(["ls-tree", "-z", "-l", "--full-tree", top, "--", within]).pipe(
      Effect.mapBoth({ onFailure: unreadable, onSuccess: foundIn })
    )
  }

  /** Fails if the unpacked files of a tree exceed the limits: a small pack can contain huge files (invariant I25). */
  const bounded = Effect.fnUntraced(function* (tree: string) {
    yield* countIn(trees, tree)
    const sizes = yield* Effect.mapError(
      git(["ls-tree", "-r", "--format=%(objectsize)", "--full-tree", tree], { output: 16 * mostFiles }),
      unreadable
    )
    const size = sizes.split("\n").reduce((sum, each) => sum + (Number(each) || 0), 0)
    if (size > limits.size) return yield* tooLarge(limits)
  })

  /** Adds files to a tree, replacing conflicting entries, and returns the new tree. */
  const withAdded = Effect.fnUntraced(function* (tree: string, added: Readonly<Record<string, string>>) {
    const lines = yield* Effect.forEach(Object.entries(added), ([path, content]) => {
      const within = withinTop(path)
      if (within === undefined || within === "") return failing(`\`${path}\` can't be the path of a file`)
      // On standard input, since every user of the machine could read an argument.
      return git(["hash-object", "-w", "--stdin"], { input: content }).pipe(
        Effect.mapBoth({ onFailure: unreadable, onSuccess: (id) => `100644 ${id.trim()}\t${bytesOf(within)}` })
      )
    })
    return yield* Effect.mapError(
      withEntries(trees, tree, lines),
      () => new CheckoutFailed({ because: "an added file has a path that git rejects" })
    )
  })

  // Archives have the time of the commit, so that the same files make the same archive.
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
    return Stream.mapError(streamGit({ args, settings: treeSettings }), unreadable)
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
      const environment = freshIndex(trees)
      yield* git(["read-tree", top], { environment }).pipe(
        Effect.andThen(git([`--work-tree=${directory}`, "checkout-index", "--all", "--quiet"], { environment })),
        Effect.mapError(unreadable)
      )
      yield* cutLinksOut(directory)
      return directory
    })
  } satisfies Checkout as Checkout
})
