import { isObjectId, type ObjectId } from "../../../code/git/objectIds.ts"
import type { PlainRecord, PlainValue } from "../Workflow.ts"
import type { WorkflowEvent } from "../WorkflowRun.ts"
import { requestsSkip, type TriggerEvent } from "./triggers.ts"

/** An event that can trigger workflows, with the data for the runs that it starts. */
export interface Trigger extends TriggerEvent {
  readonly title: string
  /** The full ref of the event, such as `refs/heads/main` or `refs/pull/7/head`; undefined means the default branch. */
  readonly ref: string | undefined
  /** The commit of the run; undefined means the commit of the ref. */
  readonly commit: ObjectId | undefined
  /** The commit with the workflow file; undefined means the commit of the run. */
  readonly workflowsAt: ObjectId | undefined
  /** The two commits to compare for changed files; undefined means that any file may have changed. */
  readonly files: { readonly from: ObjectId; readonly to: ObjectId } | undefined
  readonly trusted: boolean
  /** The number of runs before this event in a chain of `workflow_run` triggers; 0 if omitted. */
  readonly depth?: number | undefined
  readonly payload: PlainRecord
}

const [heads, tags] = ["refs/heads/", "refs/tags/"]

/** The activity types in workflows by webhook action, where the two names differ. */
const activities: Readonly<Record<string, string>> = {
  synchronized: "synchronize",
  label_updated: "labeled",
  label_cleared: "unlabeled",
  updated: "edited"
}

const recordAt = (record: PlainRecord, ...names: ReadonlyArray<string>): PlainRecord =>
  names.reduce<PlainRecord>((value, name) => {
    const next = value[name]
    return typeof next === "object" && next !== null && !Array.isArray(next) ? (next as PlainRecord) : {}
  }, record)

const textAt = (record: PlainRecord, name: string): string => {
  const value = record[name]
  return typeof value === "string" ? value : ""
}

const objectAt = (record: PlainRecord, name: string): ObjectId | undefined => {
  const text = textAt(record, name)
  return isObjectId(text) && !/^0+$/.test(text) ? text : undefined
}

const plain = {
  activity: "",
  branch: undefined,
  tag: undefined,
  ref: undefined,
  commit: undefined,
  workflowsAt: undefined,
  files: undefined,
  trusted: true
} as const

const ofPush = (payload: PlainRecord): ReadonlyArray<Trigger> => {
  const [ref, from, to] = [textAt(payload, "ref"), objectAt(payload, "before"), objectAt(payload, "after")]
  const message = textAt(recordAt(payload, "head_commit"), "message")
  if (to === undefined || requestsSkip(message)) return []
  return [
    {
      ...plain,
      event: "push",
      branch: ref.startsWith(heads) ? ref.slice(heads.length) : undefined,
      tag: ref.startsWith(tags) ? ref.slice(tags.length) : undefined,
      title: message.split("\n", 1)[0] ?? "",
      ref,
      commit: to,
      files: from === undefined ? undefined : { from, to },
      payload
    }
  ]
}

const ofRef = (event: "create" | "delete", payload: PlainRecord): ReadonlyArray<Trigger> => {
  const [kind, name] = [textAt(payload, "ref_type"), textAt(payload, "ref")]
  const title = `${kind} ${name} ${event}d`
  // A deleted ref has no commit, so the workflows of the default branch apply.
  if (event === "delete") return [{ ...plain, event, title, payload }]
  const ref = `${kind === "tag" ? tags : heads}${name}`
  return [{ ...plain, event, title, ref, commit: objectAt(payload, "sha"), payload }]
}

const ofPull = (activity: string, payload: PlainRecord): ReadonlyArray<Trigger> => {
  const pull = recordAt(payload, "pull_request")
  const [base, head] = [recordAt(pull, "base"), recordAt(pull, "head")]
  const [baseSha, headSha] = [objectAt(base, "sha"), objectAt(head, "sha")]
  if (baseSha === undefined || headSha === undefined) return []
  const isOwn = typeof head.repo_id === "number" && head.repo_id === base.repo_id
  const branch = textAt(base, "ref")
  const shared = {
    ...plain,
    activity,
    branch,
    title: textAt(pull, "title"),
    files: { from: objectAt(pull, "merge_base") ?? baseSha, to: headSha },
    payload
  }
  return [
    {
      ...shared,
      event: "pull_request",
      ref: `refs/pull/${String(payload.number)}/head`,
      commit: headSha,
      // A pull request from a fork cannot change the workflows of its runs.
      workflowsAt: isOwn ? undefined : baseSha,
      trusted: isOwn
    },
    { ...shared, event: "pull_request_target", ref: `${heads}${branch}`, commit: baseSha }
  ]
}

const ofRelease = (activity: string, payload: PlainRecord): ReadonlyArray<Trigger> => {
  const release = recordAt(payload, "release")
  const tag = textAt(release, "tag_name")
  const title = textAt(release, "name") || tag
  return [{ ...plain, event: "release", activity, title, ref: tag === "" ? undefined : `${tags}${tag}`, payload }]
}

const ofIssue = (event: WorkflowEvent, activity: string, payload: PlainRecord): ReadonlyArray<Trigger> => [
  { ...plain, event, activity, title: textAt(recordAt(payload, "issue"), "title"), payload }
]

const ofRun = (activity: string, payload: PlainRecord): ReadonlyArray<Trigger> => {
  const [run, workflow] = [recordAt(payload, "workflow_run"), textAt(recordAt(payload, "workflow"), "name")]
  const workflow_run = { ...run, name: workflow }
  return [
    {
      ...plain,
      event: "workflow_run",
      activity,
      workflow,
      // For a run from a fork, the branch is the pull request, regardless of the name of its head branch.
      branch: textAt(run, "head_branch"),
      title: textAt(run, "display_title"),
      payload: { ...payload, workflow_run }
    }
  ]
}

/** Converts a webhook event to the events that can trigger workflows; empty if there are none. */
export const triggersOf = ({ event, payload: data }: WebhookEvent): ReadonlyArray<Trigger> => {
  // BOUNDARY: the payload is written as JSON, and contains only JSON values.
  const said = JSON.parse(JSON.stringify(data)) as PlainRecord
  const word = textAt(said, "action")
  const activity = activities[word] ?? word
  const payload: PlainRecord = word === "" ? said : { ...said, action: activity as PlainValue }
  if (event === "push") return ofPush(payload)
  if (event === "create" || event === "delete") return ofRef(event, payload)
  if (event === "workflow_run") return ofRun(activity, payload)
  if (event === "release") return ofRelease(activity, payload)
  if (event === "issue_comment" || event === "pull_request_comment") return ofIssue("issue_comment", activity, payload)
  if (event === "issues" || event.startsWith("issue_")) return ofIssue("issues", activity, payload)
  const isPull =
    event === "pull_request" ||
    event === "pull_request_sync" ||
    /^pull_request_(?:assign|label|milestone|review_request)$/.test(event)
  return isPull ? ofPull(activity, payload) : []
} /** A webhook event, from which workflow triggers are derived. */
export interface WebhookEvent {
  readonly event: string
  readonly payload: Readonly<Record<string, unknown>>
}
