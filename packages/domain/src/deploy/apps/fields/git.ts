import { isBranchName } from "../../../branches.ts"
import { lineThat, nonEmpty } from "./field.ts"

const host = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$|^\[[0-9a-f:.]+\]$/i
const scpLike = /^([A-Za-z0-9_][A-Za-z0-9._-]*)@(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_][A-Za-z0-9._-]*):([^\s:][^\s]*)$/

/**
 * Returns whether a text is a repository address that is safe to pass to git: http(s), ssh, or scp-like. Rejects texts
 * that git would interpret as an option.
 *
 * @example
 * isRepositoryAddress("https://forge.example/owner/repo.git") // => true
 * isRepositoryAddress("git@forge.example:owner/repo.git") // => true
 * isRepositoryAddress("--upload-pack=touch /tmp/x") // => false
 * isRepositoryAddress("file:///etc/passwd") // => false
 * isRepositoryAddress("ssh://-oProxyCommand=x/repo") // => false
 */
export const isRepositoryAddress = (value: string): boolean => {
  if (/[\s\\]/.test(value) || value.startsWith("-")) return false
  if (/^(?:https?|ssh):\/\//i.test(value)) {
    if (!URL.canParse(value)) return false
    const url = new URL(value)
    return host.test(url.hostname) && !url.username.startsWith("-") && /^\/+[^/-]/.test(url.pathname)
  }
  const match = scpLike.exec(value)
  return match !== null && !match[3]?.startsWith("-")
}

/**
 * Returns whether a text has the form `owner/name` of a repository on a git host; groups may be nested.
 *
 * @example
 * isRepositoryName("acme/site") // => true
 * isRepositoryName("group/team/site.git") // => true
 * isRepositoryName("site") // => false
 * isRepositoryName("acme/../site") // => false
 */
export const isRepositoryName = (value: string): boolean => /^\w[\w.-]*(?:\/\w[\w.-]*){1,5}$/.test(value)

/**
 * Returns whether a text has the form of a commit: `HEAD`, or 7 to 64 hexadecimal digits.
 *
 * @example
 * isCommit("HEAD") // => true
 * isCommit("0a1b2c3") // => true
 * isCommit("main") // => false
 */
export const isCommit = (value: string): boolean => value === "HEAD" || /^[0-9a-fA-F]{7,64}$/.test(value)

/** The schema of a repository address. */
export const GitRepository = nonEmpty(
  lineThat(isRepositoryAddress, "Must be the address of a repository: http(s)://, ssh:// or user@host:path.")
)
/** The schema of the repository of a git-hosting app: its address, or `owner/name` on the app's host. */
export const AppRepository = nonEmpty(
  lineThat(
    (value) => isRepositoryAddress(value) || isRepositoryName(value),
    "Must be the owner/name of a repository, or its address: http(s)://, ssh:// or user@host:path."
  )
)
/** The schema of a branch name. */
export const GitBranch = nonEmpty(lineThat(isBranchName, "Must be a valid branch name."))
/** The schema of a commit; an empty text is allowed. */
export const GitCommit = lineThat(isCommit, "Must be HEAD or a commit of 7 to 64 hexadecimal digits.")
