import { tmpdir } from "node:os"
import {
  CheckoutFailed,
  GitBranch,
  isCommit,
  RepositoryHostKeyStore,
  readRepositoryAddress,
  Sources
} from "@slipway/domain/deploy/apps"
import { Egress } from "@slipway/egress"
import { privateFolder, sweepFolders } from "@slipway/subprocess"
import { Duration, Effect, Layer, Schema, Semaphore } from "effect"
import { assemble, roomOf } from "./assemble.ts"
import type { Head } from "./fetch.ts"
import { checkoutOf } from "./files.ts"
import { checkouts } from "./folders.ts"
import { type FetchLimits, within } from "./limits.ts"
import { listFolder } from "./listing.ts"
import { usableGit } from "./version.ts"

/** The limits of a fetch. */
export interface SourcesSettings {
  /** The timeout of a fetch; 5 minutes by default. */
  readonly timeout?: Duration.Input
  /** The maximum size of a fetch in bytes; 1 GiB by default. */
  readonly size?: number
  /** The timeout of a listing, including the wait for other listings; 20 seconds by default. */
  readonly listingTimeout?: Duration.Input
  /** The maximum size of the trees that a listing fetches, in bytes; 32 MiB by default. */
  readonly listingSize?: number
  /** The parent of temporary folders; the operating system's folder for them by default. */
  readonly folder?: string
}

/** The maximum number of concurrent listings; the others wait. */
const mostListings = 4

const isBranch = Schema.is(GitBranch)
const failing = (because: string) => Effect.fail(new CheckoutFailed({ because }))

/** Layer that fetches the files of repositories with the git program, over checked outbound connections. */
export const layerSources = ({
  folder: parent = tmpdir(),
  listingSize = 32 * 2 ** 20,
  listingTimeout = "20 seconds",
  size = 2 ** 30,
  timeout = "5 minutes"
}: SourcesSettings = {}): Layer.Layer<Sources, never, Egress | RepositoryHostKeyStore> =>
  Layer.effect(
    Sources,
    Effect.gen(function* () {
      const out = { egress: yield* Egress, keys: yield* RepositoryHostKeyStore }
      yield* sweepFolders(checkouts, parent)
      const limits: FetchLimits = { size, timeout: Duration.fromInputUnsafe(timeout) }
      const listing: FetchLimits = { size: listingSize, timeout: Duration.fromInputUnsafe(listingTimeout) }
      const listings = yield* Semaphore.make(mostListings)
      return {
        list: Effect.fnUntraced(function* ({ access, branch, folder: path, repository, texts }) {
          const address = readRepositoryAddress(repository)
          if (address === undefined) return yield* failing("this is not the address of a repository")
          if (branch !== undefined && !isBranch(branch)) return yield* failing(`there is no branch \`${branch}\``)
          yield* usableGit()
          const folder = yield* privateFolder(checkouts, parent)
          const listed = listFolder({ out, limits: listing, access, address, branch, texts, path, folder })
          return yield* within(folder, listing)(listings.withPermit(listed))
        }, Effect.scoped),
        checkout: Effect.fnUntraced(function* ({
          access,
          branch,
          commit,
          lfs = false,
          pullRequest,
          repository,
          submodules = false
        }) {
          const address = readRepositoryAddress(repository)
          if (address === undefined) return yield* failing("this is not the address of a repository")
          if (!isBranch(branch)) return yield* failing(`there is no branch \`${branch}\``)
          if (!isCommit(commit)) return yield* failing(`there is no commit \`${commit}\``)
          yield* usableGit()
          const folder = yield* privateFolder(checkouts, parent)
          const head: Head =
            pullRequest === undefined
              ? { _tag: "Branch", name: branch }
              : { _tag: "PullRequest", number: Math.trunc(pullRequest) }
          const assembling = { out, limits, submodules, lfs, top: folder, left: roomOf() }
          const assembled = yield* within(
            folder,
            limits
          )(assemble(assembling, { address, access }, { head, commit }, folder))
          return yield* checkoutOf({ ...assembled, folder, limits })
        })
      }
    })
  )
