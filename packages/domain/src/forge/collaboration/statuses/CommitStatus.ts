import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, descending, owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { ObjectId } from "../../code/git/objectIds.ts"
import type { UserId } from "../../identity/users/User.ts"

/** The schema of the id of a commit status. */
export const CommitStatusId = Schema.Int.pipe(Schema.brand("CommitStatusId"))
export type CommitStatusId = typeof CommitStatusId.Type

/** The states that a check (for example a CI job) can report for a commit. */
export const commitStates = ["pending", "success", "error", "failure", "warning", "skipped"] as const
export type CommitState = (typeof commitStates)[number]

/**
 * The result of a check, reported for a commit. If a check reports several times, only the latest status per `context`
 * counts.
 */
export interface CommitStatus {
  readonly id: CommitStatusId
  readonly repositoryId: RepositoryId
  readonly commit: ObjectId
  /** The name of the check, such as `ci/build`. */
  readonly context: string
  readonly state: CommitState
  readonly description: string
  readonly targetUrl: string
  readonly creatorId: UserId | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** The commit statuses of repositories: results of checks, such as CI jobs, by commit. */
export const commitStatuses = owned<CommitStatus>()("commitStatus", {
  within: ["repositoryId"],
  fields: {
    repositoryId: Fields.reference("repository"),
    commit: Fields.text(),
    context: Fields.text(),
    state: Fields.oneOf(...commitStates),
    description: Fields.text(),
    targetUrl: Fields.text(),
    creatorId: Fields.looseReference("user"),
    createdAt: Fields.time(),
    updatedAt: Fields.time()
  },
  orders: { newest: descending(), oldest: ascending() },
  filters: ["commit", "state"]
})

/** Returns the latest status of each context (the name of a check), from statuses in descending order of time. */
export const latestOf = <S extends Pick<CommitStatus, "context">>(newestFirst: ReadonlyArray<S>): ReadonlyArray<S> => {
  const latest = new Map<string, S>()
  for (const status of newestFirst) if (!latest.has(status.context)) latest.set(status.context, status)
  return [...latest.values()]
}

/**
 * Returns the combined state of all checks of a commit: `failure` if a check failed or warned, else `pending` if there
 * is no check or a check has no result yet.
 *
 * @example
 * combinedState(["success", "error"]) // => "failure"
 * combinedState(["success", "pending"]) // => "pending"
 * combinedState(["success", "warning"]) // => "failure"
 * combinedState(["success", "skipped"]) // => "success"
 * combinedState([]) // => "pending"
 */
export const combinedState = (states: ReadonlyArray<CommitState>): "failure" | "pending" | "success" => {
  if (states.some((state) => state === "error" || state === "failure" || state === "warning")) return "failure"
  return states.length === 0 || states.includes("pending") ? "pending" : "success"
}
