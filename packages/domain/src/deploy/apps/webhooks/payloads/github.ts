import { Schema } from "effect"
import type { PayloadReader, PullRequestEvent } from "../WebhookEvent.ts"
import { Commit, maybe, payloadReader, pushOf, stateOf } from "./common.ts"

// The maximum number of commits that GitHub lists for a push.
const mostCommits = 2_048

const push = payloadReader(
  Schema.Struct({
    ref: Schema.String,
    before: Schema.String,
    after: Schema.String,
    forced: maybe(Schema.Boolean),
    commits: maybe(Schema.Array(Commit))
  }),
  ({ commits: listed, forced, ...moved }) => {
    const commits = listed ?? []
    // The commits of a forced push do not list the changes that it removes.
    return pushOf({ ...moved, commits, isWhole: forced !== true && commits.length < mostCommits })
  }
)

const Side = Schema.Struct({
  ref: Schema.String,
  sha: maybe(Schema.String),
  repo: maybe(Schema.Struct({ id: Schema.Number }))
})

const changes: Readonly<Record<string, PullRequestEvent["change"]>> = {
  opened: "updated",
  reopened: "updated",
  synchronize: "updated",
  synchronized: "updated",
  closed: "closed"
}

/** Parses a pull request event of GitHub or Gitea, which use the same payload format. */
export const pullRequest = payloadReader(
  Schema.Struct({
    action: Schema.String,
    number: Schema.Number,
    pull_request: Schema.Struct({
      head: Side,
      base: Side,
      state: maybe(Schema.String),
      updated_at: maybe(Schema.String)
    })
  }),
  ({ action, number, pull_request: { base, head, state, updated_at } }) => ({
    _tag: "PullRequest",
    number,
    change: changes[action] ?? "other",
    head: head.ref,
    base: base.ref,
    commit: head.sha ?? null,
    // The payload omits a deleted fork.
    fork: !head.repo || !base.repo || head.repo.id !== base.repo.id,
    ...stateOf(state, updated_at)
  })
)

/** Parses a webhook payload of GitHub. */
export const github: PayloadReader = (event, payload) => {
  if (event === "push") return push(payload)
  if (event === "pull_request") return pullRequest(payload)
  return event === "ping" ? { _tag: "Ping" } : { _tag: "Other", event }
}
