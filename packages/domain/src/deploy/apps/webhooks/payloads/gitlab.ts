import { Option, Schema } from "effect"
import type { PayloadReader, PullRequestEvent } from "../WebhookEvent.ts"
import { Commit, maybe, payloadReader, pushOf, stateOf } from "./common.ts"

const push = payloadReader(
  Schema.Struct({
    ref: Schema.String,
    before: Schema.String,
    after: Schema.String,
    commits: maybe(Schema.Array(Commit)),
    total_commits_count: maybe(Schema.Number)
  }),
  ({ commits: listed, total_commits_count: total, ...moved }) => {
    const commits = listed ?? []
    return pushOf({ ...moved, commits, isWhole: total === commits.length })
  }
)

/**
 * Returns how a merge request changed.
 *
 * GitLab sends the action `update` with a previous revision (`before`) only if there are new commits; other updates
 * change the title or other fields.
 */
const changeOf = (action: string, before: string | null | undefined): PullRequestEvent["change"] => {
  if (action === "open" || action === "reopen" || (action === "update" && before)) return "updated"
  return action === "close" || action === "merge" ? "closed" : "other"
}

const mergeRequest = payloadReader(
  Schema.Struct({
    object_attributes: Schema.Struct({
      iid: Schema.Number,
      action: maybe(Schema.String),
      state: maybe(Schema.String),
      updated_at: maybe(Schema.String),
      oldrev: maybe(Schema.String),
      source_branch: Schema.String,
      target_branch: Schema.String,
      source_project_id: maybe(Schema.Number),
      target_project_id: maybe(Schema.Number),
      last_commit: maybe(Schema.Struct({ id: Schema.String }))
    })
  }),
  ({ object_attributes: { action, iid, last_commit, oldrev, state, updated_at, ...sides } }) => ({
    _tag: "PullRequest",
    number: iid,
    change: changeOf(action ?? "", oldrev),
    head: sides.source_branch,
    base: sides.target_branch,
    commit: last_commit?.id ?? null,
    fork: sides.source_project_id == null || sides.source_project_id !== sides.target_project_id,
    ...stateOf(state, updated_at)
  })
)

const kindOf = Schema.decodeUnknownOption(Schema.Struct({ object_kind: Schema.String }))

/** Parses a webhook payload of GitLab; reads the event type from the body instead of the header. */
export const gitlab: PayloadReader = (_, payload) => {
  const kind = kindOf(payload)
  if (Option.isNone(kind)) return { _tag: "Unreadable" }
  const { object_kind: event } = kind.value
  if (event === "push" || event === "tag_push") return push(payload)
  return event === "merge_request" ? mergeRequest(payload) : { _tag: "Other", event }
}
