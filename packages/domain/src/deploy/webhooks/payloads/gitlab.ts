import { Option, Schema } from "effect"
import type { PayloadReader } from "../WebhookEvent.ts"
import { Commit, maybe, pushOf, reading } from "./common.ts"

const push = reading(
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

const mergeRequest = reading(
  Schema.Struct({
    object_attributes: Schema.Struct({
      iid: Schema.Number,
      action: maybe(Schema.String),
      source_branch: Schema.String,
      target_branch: Schema.String
    })
  }),
  ({ object_attributes: { action, iid, source_branch, target_branch } }) => ({
    _tag: "PullRequest",
    number: iid,
    action: action ?? "",
    head: source_branch,
    base: target_branch
  })
)

const kindOf = Schema.decodeUnknownOption(Schema.Struct({ object_kind: Schema.String }))

/** Reads what GitLab sends; the body says what happened, as the header does in words. */
export const gitlab: PayloadReader = (_, payload) => {
  const kind = kindOf(payload)
  if (Option.isNone(kind)) return { _tag: "Unreadable" }
  const { object_kind: event } = kind.value
  if (event === "push" || event === "tag_push") return push(payload)
  return event === "merge_request" ? mergeRequest(payload) : { _tag: "Other", event }
}
