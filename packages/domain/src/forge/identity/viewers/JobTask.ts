import { Level } from "@slipway/access"
import type { ScopeWord } from "../../access/facts/Scope.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"

/**
 * The permission level of a job token on its repository: `read` for a job of a pull request from a fork, otherwise
 * `write`.
 */
export type JobLevel = typeof Level.read | typeof Level.write

/** The actions job that a job token was created for. */
export interface JobTask {
  readonly jobId: number
  /** The only repository that the job can write to. */
  readonly repositoryId: RepositoryId
  readonly level: JobLevel
}

/**
 * The job fields of an access token: the job, its repository, and the permission level on the repository. The token is
 * removed with the repository.
 */
export interface TokenTask {
  readonly jobId: number | null
  readonly repositoryId: RepositoryId | null
  readonly jobLevel: JobLevel | null
}

/** The job fields of a token that belongs to no job. */
export const noJob: TokenTask = { jobId: null, repositoryId: null, jobLevel: null }

/** Returns the job of a job token; undefined for any other token. */
export const taskOf = ({ jobId, jobLevel, repositoryId }: TokenTask): JobTask | undefined =>
  jobId === null || jobLevel === null || repositoryId === null ? undefined : { jobId, repositoryId, level: jobLevel }

const words = (verb: "read" | "write"): ReadonlyArray<ScopeWord> => [
  "read:organization",
  "read:package",
  "read:user",
  `${verb}:issue`,
  `${verb}:repository`
]
const scopesOf = { [Level.read]: words("read"), [Level.write]: words("write") }

/**
 * Returns the scopes of a job token: repositories, and read access to packages, users and organizations.
 *
 * With these scopes, a job cannot access notifications or site settings, or change accounts and organizations. A
 * read-only job token can write nothing, not even a comment. The specification exempts jobs from scope checks; this
 * service does not.
 */
export const scopesOfJob = (level: JobLevel): ReadonlyArray<ScopeWord> => scopesOf[level]

/** Returns whether a viewer may change a repository at all: an actions job may change only its own repository. */
export const mayChangeRepository = (
  { task }: { readonly task?: JobTask | undefined },
  repositoryId: RepositoryId
): boolean => task === undefined || task.repositoryId === repositoryId
