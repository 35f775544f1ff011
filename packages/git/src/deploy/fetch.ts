import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { CheckoutFailed } from "@slipway/domain/deploy/apps"
import { Duration, Effect } from "effect"
import { type GitFailed, runGit } from "../program.ts"
import { explain } from "../remote/explain.ts"
import type { FetchLimits } from "./limits.ts"
import type { Transport } from "./transport.ts"

/** The branch or pull request of which the fetched commit is the newest commit. */
export type Head =
  | { readonly _tag: "Branch"; readonly name: string }
  | { readonly _tag: "PullRequest"; readonly number: number }

/**
 * Returns the refspecs for a branch or pull request; the caller tries them in order until one exists.
 *
 * Returns the refspec of all branches if `head` is null.
 */
const placesOf = (head: Head | null): readonly [string, ...ReadonlyArray<string>] => {
  if (head === null) return [allBranches]
  return head._tag === "Branch"
    ? [`+refs/heads/${head.name}:${headRef}`]
    : [`+refs/pull/${head.number}/head:${headRef}`, `+refs/merge-requests/${head.number}/head:${headRef}`]
}

const wordsOf = (head: Head | null): string => {
  if (head === null) return "its branches"
  return head._tag === "Branch" ? `the branch \`${head.name}\`` : `pull request ${head.number}`
}

/** The parameters of a fetch. */
export interface Fetching {
  readonly bare: string
  readonly transport: Transport
  /** Null if only a commit is known. */
  readonly head: Head | null
  readonly commit: string
  readonly folder: string
  readonly limits: FetchLimits
  /** The objects that are not fetched, such as `blob:none` for the content of files; ignored by old servers. */
  readonly filter?: string
}

/** Makes the function that explains failed git commands of a transport. */
export const explaining =
  ({
    bare,
    branch,
    folder,
    transport
  }: Pick<Fetching, "bare" | "folder" | "transport"> & { readonly branch: string }) =>
  ({ exitCode, said }: GitFailed): CheckoutFailed =>
    new CheckoutFailed({
      because: explain(
        { exitCode, said: `${said}\n${transport.said()}` },
        {
          branch,
          hasCredentials: transport.hasCredentials,
          failure: transport.failure(),
          hidden: [...transport.hidden, bare, folder]
        }
      )
    })

/** Returns the limits of a git command within the limits of a fetch: only its own timeout has to be later. */
export const commandLimits = ({ timeout }: FetchLimits) => ({
  timeout: Duration.sum(timeout, Duration.seconds(30)),
  output: 2 ** 20
})

// Checkouts are temporary: they need no fsync, and large files needn't fit in memory.
const settings = [
  "core.fsync=none",
  "core.bigFileThreshold=16m",
  "core.packedGitLimit=256m",
  "pack.threads=1",
  "fetch.unpackLimit=1",
  "fetch.recurseSubmodules=false",
  "transfer.bundleURI=false",
  "maintenance.auto=false"
]
const attributes = "* -export-ignore -export-subst\n"
const deepest = 1_000

/** Creates an empty repository without hooks. Its settings override attributes that exclude files from archives. */
export const newRepository = Effect.fnUntraced(function* (folder: string) {
  const bare = join(folder, "repository.git")
  const failed = () => new CheckoutFailed({ because: "git cannot create a repository in the temporary folder" })
  yield* Effect.mapError(
    runGit({ args: ["init", "--quiet", "--bare", "--template=", "--initial-branch=none", "--", bare] }),
    failed
  )
  yield* Effect.tryPromise({
    try: async () => {
      await mkdir(join(bare, "info"), { recursive: true })
      await writeFile(join(bare, "info", "attributes"), attributes)
    },
    catch: failed
  })
  return bare
})

const headRef = "refs/slipway/branch"
const commitRef = "refs/slipway/commit"
const allBranches = "+refs/heads/*:refs/slipway/heads/*"

const isUnknown = ({ said }: GitFailed) =>
  /not our ref|unadvertised object|couldn't find remote ref|no such remote ref|unable to find remote/i.test(said)

/** Fetches a commit of a repository, and returns its id. */
export const fetchCommit = ({ bare, commit, filter, folder, head, limits, transport }: Fetching) => {
  const fetch = (depth: number, refspec: string) =>
    runGit(
      {
        args: [
          `--git-dir=${bare}`,
          "fetch",
          "--quiet",
          "--no-tags",
          "--no-recurse-submodules",
          "--no-write-fetch-head",
          `--depth=${depth}`,
          ...(filter === undefined ? [] : [`--filter=${filter}`]),
          "--end-of-options",
          transport.url,
          refspec
        ],
        settings: [...settings, ...transport.settings],
        environment: transport.environment
      },
      commandLimits(limits)
    )
  const resolved = (name: string) =>
    runGit({
      args: [`--git-dir=${bare}`, "rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]
    }).pipe(Effect.map((said) => said.trim()))
  const explained = explaining({ bare, branch: head?._tag === "Branch" ? head.name : "", folder, transport })
  const missing = new CheckoutFailed({
    because: `there is no commit \`${commit}\` among the newest ${deepest} of ${wordsOf(head)}`
  })

  const [place, ...places] = placesOf(head)
  const fetchHead = (depth: number) =>
    places
      .reduce((tried, next) => Effect.catchIf(tried, isUnknown, () => fetch(depth, next)), fetch(depth, place))
      .pipe(
        Effect.mapError((failed) =>
          head?._tag === "PullRequest" && isUnknown(failed)
            ? new CheckoutFailed({ because: `there is no ${wordsOf(head)}` })
            : explained(failed)
        )
      )
  const wanted = commit.toLowerCase()
  const isWhole = wanted.length === 40 || wanted.length === 64
  /** Requests a commit by its full id, which not every server supports. */
  const fetchWhole = fetch(1, `+${wanted}:${commitRef}`).pipe(
    Effect.as(true),
    Effect.catchIf(isUnknown, () => Effect.succeed(false)),
    Effect.mapError(explained)
  )

  return Effect.gen(function* () {
    if (head !== null) {
      yield* fetchHead(1)
      const newest = yield* Effect.mapError(resolved(headRef), explained)
      if (commit === "HEAD" || newest.startsWith(wanted)) return newest
    }
    if (isWhole && (yield* fetchWhole)) return yield* Effect.mapError(resolved(wanted), () => missing)
    yield* fetchHead(deepest)
    return yield* Effect.mapError(resolved(wanted), () => missing)
  })
}
