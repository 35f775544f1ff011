import type { Repository } from "../../code/repositories/Repository.ts"
import type { PlainRecord } from "./Workflow.ts"
import type { WorkflowRun } from "./WorkflowRun.ts"

const [heads, tags] = ["refs/heads/", "refs/tags/"]

/** The input for the `github` context of expressions, in addition to the fields of the run. */
export interface ContextInput {
  /** The URL of the site, without a trailing slash. */
  readonly server: string
  /** The repository as `owner/name`. */
  readonly repository: string
  readonly repositoryId: number
  readonly owner: string
  /** The user who triggered the run. */
  readonly actor: string
  readonly workflowName: string
  readonly payload: PlainRecord
}

/** Builds the input for the `github` context from a repository, the user who triggered the run, and the event. */
export const contextInput = (
  { id, name, owner }: Pick<Repository, "id" | "name" | "owner">,
  rootUrl: string,
  actor: string,
  workflowName: string,
  payload: PlainRecord
): ContextInput => ({
  server: rootUrl.replace(/\/+$/, ""),
  repository: `${owner.name}/${name}`,
  repositoryId: id,
  owner: owner.name,
  actor,
  workflowName,
  payload
})

type RunPart = Pick<WorkflowRun, "commit" | "event" | "path" | "ref"> & {
  readonly id: number
  readonly number: number
  readonly attempt: number
}

/**
 * Returns the name of a branch or a tag, without the prefix of its ref.
 *
 * @example
 * refName("refs/heads/fix/1") // => "fix/1"
 * refName("refs/pull/7/head") // => "7/head"
 */
export const refName = (ref: string): string => ref.replace(/^refs\/(?:heads|tags|pull)\//, "")

const branchesOf = ({ pull_request }: PlainRecord) => {
  const pull = pull_request as PlainRecord | undefined
  const nameOf = (side: string) => String((pull?.[side] as PlainRecord | undefined)?.ref ?? "")
  return pull === undefined || pull === null ? { base: "", head: "" } : { base: nameOf("base"), head: nameOf("head") }
}

/** Returns the `github` context of a run, as expressions in workflows use it. */
export const githubContext = (run: RunPart, input: ContextInput): PlainRecord => {
  const { base, head } = branchesOf(input.payload)
  const isPull = run.event === "pull_request" || run.event === "pull_request_target"
  const isTag = run.ref.startsWith(tags)
  return {
    actor: input.actor,
    triggering_actor: input.actor,
    api_url: `${input.server}/api/v1`,
    base_ref: isPull ? base : "",
    event: input.payload,
    event_name: run.event,
    graphql_url: "",
    head_ref: isPull ? head : "",
    ref: run.ref,
    ref_name: refName(run.ref),
    ref_type: isTag ? "tag" : run.ref.startsWith(heads) || isPull ? "branch" : "",
    repository: input.repository,
    repository_id: String(input.repositoryId),
    repository_owner: input.owner,
    repositoryUrl: `${input.server}/${input.repository}.git`,
    retention_days: "0",
    run_attempt: String(run.attempt),
    run_id: String(run.id),
    run_number: String(run.number),
    secret_source: "Actions",
    server_url: input.server,
    sha: run.commit,
    workflow: input.workflowName,
    workflow_ref: `${input.repository}/${run.path}@${run.ref}`,
    workspace: ""
  }
}
