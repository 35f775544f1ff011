import { Level } from "@slipway/access"
import type { ScopeWord } from "../../access/facts/Scope.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"

/** The level of a job's token in its repository: only read for a job of a pull request from a fork. */
export type JobLevel = typeof Level.read | typeof Level.write

/** The job of a job token. */
export interface JobTask {
  readonly jobId: number
  /** The only repository that the job can write to. */
  readonly repositoryId: RepositoryId
  readonly level: JobLevel
}

/** The job data of an access token: the repository that it expires with, and its level there. */
export interface TokenTask {
  readonly jobId: number | null
  readonly repositoryId: RepositoryId | null
  readonly jobLevel: JobLevel | null
}

/** The job data of a user's token. */
export const noJob: TokenTask = { jobId: null, repositoryId: null, jobLevel: null }

/** Returns the job of a token; undefined for the token of a user. */
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
 * Returns the scope of a job's token: repositories, and read access to packages, users and organizations.
 *
 * The specification exempts jobs from scope checks. Here they have a scope, so that notifications, the site and changes
 * of accounts and organizations are refused. So is every write by a read-only token, such as a comment.
 */
export const scopesOfJob = (level: JobLevel): ReadonlyArray<ScopeWord> => scopesOf[level]

/** Returns whether a viewer can change a repository: a job only its own. */
export const mayChangeRepository = (
  { task }: { readonly task?: JobTask | undefined },
  repositoryId: RepositoryId
): boolean => task === undefined || task.repositoryId === repositoryId
