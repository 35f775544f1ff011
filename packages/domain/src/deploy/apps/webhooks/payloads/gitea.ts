import { Schema } from "effect"
import type { PayloadReader } from "../WebhookEvent.ts"
import { Commit, maybe, payloadReader, pushOf } from "./common.ts"
import { pullRequest } from "./github.ts"

const push = payloadReader(
  Schema.Struct({
    ref: Schema.String,
    before: Schema.String,
    after: Schema.String,
    commits: maybe(Schema.Array(Commit)),
    total_commits: maybe(Schema.Number)
  }),
  ({ commits: listed, total_commits: total, ...moved }) => {
    const commits = listed ?? []
    // Gitea lists only a few commits, and older versions omit the total number.
    return pushOf({ ...moved, commits, isWhole: total === commits.length })
  }
)

/** Parses a webhook payload of Gitea. */
export const gitea: PayloadReader = (event, payload) => {
  if (event === "push") return push(payload)
  return event === "pull_request" ? pullRequest(payload) : { _tag: "Other", event }
}
