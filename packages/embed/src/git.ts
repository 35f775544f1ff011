import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { layerGitObjects, layerGitRepositories, layerUnadoptedRepositories } from "@slipway/git/forge"
import { Layer } from "effect"

/**
 * Where git repositories are stored on disk, so that git clients can clone and push over HTTP. Requires the program
 * `git`, version 2.39 or later.
 *
 * `{ directory }` uses this folder, which is created if missing; combine it with a persistent store. `"temporary"` uses
 * a folder in the system's temporary folder, which is removed when the forge is disposed.
 */
export type GitOption = { readonly directory: string } | "temporary"

/**
 * Returns the folder for git repositories. A temporary folder is created here, and removed when `holder` is disposed.
 */
export const directoryOf = async (git: GitOption, holder: AsyncDisposableStack): Promise<string> => {
  if (git !== "temporary") return resolve(git.directory)
  return holder.adopt(await mkdtemp(join(tmpdir(), "slipway-embed-git-")), (folder) =>
    // A file operation still running when the forge stops may create a file.
    rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  )
}

/** Provides storage of git repositories below a folder, using the program `git`. */
export const layerGit = (directory: string) =>
  Layer.merge(
    Layer.provideMerge(layerUnadoptedRepositories(directory), layerGitRepositories(directory)),
    layerGitObjects(directory)
  )
