import { type ClonePath, clonePath } from "@slipway/domain/forge/code"

/** A command that an SSH client may run: a git command or an LFS authentication. */
export type GitCommand =
  | {
      readonly _tag: "Git"
      readonly service: "upload-pack" | "receive-pack" | "upload-archive"
      readonly path: ClonePath
    }
  | { readonly _tag: "Lfs"; readonly operation: "download" | "upload"; readonly path: ClonePath }

const unquoted = (text: string): string | undefined => {
  const quoted = /^'([^'\\]*)'$/.exec(text)
  if (quoted !== null) return quoted[1]
  return /^[A-Za-z0-9._~/-]+$/.test(text) ? text : undefined
}

/**
 * Parses the command of a client, in the format that git uses. Returns undefined for every other command.
 *
 * @example
 * readCommand("git-upload-pack 'ann/tools.git'")?._tag // => "Git"
 * readCommand("git-lfs-authenticate ann/tools.git download")?._tag // => "Lfs"
 * readCommand("sh -c id") // => undefined
 */
export const readCommand = (text: string): GitCommand | undefined => {
  const git = /^git[- ](upload-pack|receive-pack|upload-archive) +(\S+)$/.exec(text)
  if (git !== null) {
    const path = clonePath(unquoted(git[2] ?? "") ?? "")
    return path && { _tag: "Git", service: git[1] as "upload-pack", path }
  }
  const lfs = /^git-lfs-authenticate +(\S+) +(download|upload)(?: +\S+)?$/.exec(text)
  const path = lfs === null ? undefined : clonePath(unquoted(lfs[1] ?? "") ?? "")
  return path && { _tag: "Lfs", operation: lfs?.[2] as "download", path }
}
