import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { layerGitObjects, layerGitRepositories, layerUnadoptedRepositories } from "@slipway/git/forge"
import { Layer } from "effect"

/**
 * The storage of git repositories, so that git clients can clone and push over HTTP. It needs the program `git`,
 * version 2.39 or later.
 *
 * `{ directory }` keeps them in a folder, which is created if it is missing; use it with a durable store. `"temporary"`
 * keeps them in a folder below the system's temporary folder, which is removed when the forge is disposed of.
 */
export type GitOption = { readonly directory: string } | "temporary"

/** Returns the folder of an option; a temporary one is created, and removed together with its holder. */
export const directoryOf = async (git: GitOption, holder: AsyncDisposableStack): Promise<string> => {
  if (git !== "temporary") return resolve(git.directory)
  return holder.adopt(await mkdtemp(join(tmpdir(), "slipway-embed-git-")), (folder) =>
    // A file operation still running when the forge stops may create a file.
    rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  )
}

/** Keeps, reads and writes git repositories below a folder with the git program. */
export const layerGit = (directory: string) =>
  Layer.merge(
    Layer.provideMerge(layerUnadoptedRepositories(directory), layerGitRepositories(directory)),
    layerGitObjects(directory)
  )
