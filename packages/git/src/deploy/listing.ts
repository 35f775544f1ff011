import { CheckoutFailed, type Listing, type ListingRequest, type RepositoryAddress } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import { type GitFailed, type GitRun, runGit } from "../program.ts"
import type { OutboundConnections } from "../remote/http.ts"
import { commandLimits, explaining, fetchCommit, newRepository } from "./fetch.ts"
import type { FetchLimits } from "./limits.ts"
import type { Keys } from "./relay.ts"
import { openTransport, type Transport } from "./transport.ts"
import { gitIn, unreadable, withinTop } from "./trees.ts"

/** A listing of a repository: the parsed address, and the folder for its temporary files. */
interface Listed extends Pick<ListingRequest, "access" | "branch" | "texts"> {
  readonly out: { readonly egress: OutboundConnections; readonly keys: Keys }
  readonly limits: FetchLimits
  readonly address: RepositoryAddress
  readonly path: string
  /** A folder that only this user can enter. */
  readonly folder: string
}

const largestText = 1_024 * 1_024

const failing = (because: string) => Effect.fail(new CheckoutFailed({ because }))

/** Runs a git command with the connection to the repository. */
const over = ({ environment, settings }: Transport, run: GitRun, limits: FetchLimits) =>
  runGit({ ...run, settings: [...(run.settings ?? []), ...settings], environment }, commandLimits(limits))

/** Returns the name of the branch that the repository's `HEAD` refers to. */
const defaultBranch = Effect.fnUntraced(function* (
  transport: Transport,
  limits: FetchLimits,
  explained: (failed: GitFailed) => CheckoutFailed
) {
  const args = ["ls-remote", "--symref", "--end-of-options", transport.url, "HEAD"]
  const said = yield* Effect.mapError(over(transport, { args }, limits), explained)
  if (said.trim() === "") return yield* failing("the repository has no default branch: push a commit, or name a branch")
  const [, branch] = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(said) ?? []
  return branch ?? (yield* failing("the repository does not tell its default branch: name a branch"))
})

/** Lists the files of a folder: fetches the newest commit with its trees, and only the requested texts. */
export const listFolder = Effect.fnUntraced(function* (listed: Listed): Effect.fn.Return<Listing, CheckoutFailed> {
  const { access, address, branch: named, folder, limits, out, path, texts } = listed
  const within = withinTop(path)
  if (within === undefined) return yield* failing(`there is no folder \`${path}\``)
  const bare = yield* newRepository(folder)
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const transport = yield* openTransport(out, address, access, folder)
      const explained = explaining({ bare, branch: named ?? "", folder, transport })
      const branch = named ?? (yield* defaultBranch(transport, limits, explained))
      const head = { _tag: "Branch", name: branch } as const
      const filter = "blob:none"
      const commit = yield* fetchCommit({ bare, transport, head, commit: "HEAD", filter, folder, limits })
      const entries = yield* Effect.mapError(
        gitIn({ bare, limits })(["ls-tree", "-z", "--full-tree", `${commit}:${within}`]),
        () => new CheckoutFailed({ because: `there is no folder \`${path}\` on the branch \`${branch}\`` })
      )
      const files = new Map(
        entries.split("\0").flatMap((entry) => {
          const [, id, name] = /^100\d{3} blob ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? []
          return id === undefined || name === undefined ? [] : [[name, id] as const]
        })
      )
      const read = Effect.fnUntraced(function* (name: string) {
        const id = files.get(name)
        if (id === undefined) return []
        // Git fetches the content with the first command, because the repository is a partial clone.
        const fetched = yield* Effect.option(
          over(transport, { args: [`--git-dir=${bare}`, "cat-file", "-s", id], settings: ["core.fsync=none"] }, limits)
        )
        if (fetched._tag === "None" || Number(fetched.value) > largestText) return []
        const text = yield* Effect.mapError(gitIn({ bare, limits })(["cat-file", "blob", id]), unreadable)
        return [[name, text] as const]
      })
      const found = yield* Effect.forEach(texts, read)
      return { branch, commit, names: [...files.keys()], texts: new Map(found.flat()) }
    })
  )
})
