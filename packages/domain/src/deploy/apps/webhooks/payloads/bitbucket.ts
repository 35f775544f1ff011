import { Schema } from "effect"
import type { PayloadReader, PullRequestEvent, WebhookEvent } from "../WebhookEvent.ts"
import { maybe, payloadReader, stateOf } from "./common.ts"

const Point = Schema.Struct({
  type: Schema.String,
  name: Schema.String,
  target: Schema.Struct({
    hash: Schema.String,
    message: maybe(Schema.String),
    author: maybe(Schema.Struct({ raw: maybe(Schema.String) }))
  })
})
type Point = typeof Point.Type

const Change = Schema.Struct({ old: maybe(Point), new: maybe(Point) })

const nothing = "0".repeat(40)

/**
 * Returns the name in `Name <email>`, or null.
 *
 * It uses no regular expression, because one that also trims spaces needs quadratic time for hostile input.
 */
const nameIn = (raw: string | null | undefined): string | null => {
  const end = raw?.indexOf("<") ?? -1
  return (end < 0 ? raw : raw?.slice(0, end).trimEnd()) ?? null
}

const moved = (
  { name, type }: Point,
  before: Point | null | undefined,
  after: Point | null | undefined
): WebhookEvent =>
  type === "branch"
    ? {
        _tag: "Push",
        branch: name,
        commit: after?.target.hash ?? nothing,
        before: before?.target.hash ?? nothing,
        // Bitbucket sends commits without their paths.
        changed: null,
        deleted: !after,
        author: nameIn(after?.target.author?.raw),
        message: after?.target.message ?? null,
        pusher: null
      }
    : { _tag: "Tag", name }

const push = (branch: string) =>
  payloadReader(Schema.Struct({ push: Schema.Struct({ changes: Schema.Array(Change) }) }), ({ push: { changes } }) => {
    const events = changes.flatMap((change) => {
      const point = change.new ?? change.old
      return point ? [moved(point, change.old, change.new)] : []
    })
    const wanted = events.find((event) => event._tag === "Push" && event.branch === branch)
    return wanted ?? events[0] ?? { _tag: "Unreadable" }
  })

const Side = Schema.Struct({
  branch: Schema.Struct({ name: Schema.String }),
  repository: maybe(Schema.Struct({ full_name: Schema.String }))
})

const changes: Readonly<Record<string, PullRequestEvent["change"]>> = {
  created: "updated",
  updated: "updated",
  fulfilled: "closed",
  rejected: "closed"
}

const pullRequest = (action: string) =>
  payloadReader(
    Schema.Struct({
      pullrequest: Schema.Struct({
        id: Schema.Number,
        source: Side,
        destination: Side,
        state: maybe(Schema.String),
        updated_on: maybe(Schema.String)
      })
    }),
    ({ pullrequest: { destination, id, source, state, updated_on } }) => ({
      _tag: "PullRequest",
      number: id,
      change: changes[action] ?? "other",
      head: source.branch.name,
      base: destination.branch.name,
      // Bitbucket sends an abbreviated commit hash.
      commit: null,
      fork: !source.repository || source.repository.full_name !== destination.repository?.full_name,
      ...stateOf(state, updated_on)
    })
  )

/** Parses a webhook payload of Bitbucket. One push can change several branches; only the given branch is returned. */
export const bitbucket: PayloadReader = (event, payload, branch) => {
  if (event === "repo:push") return push(branch)(payload)
  if (event.startsWith("pullrequest:")) return pullRequest(event.slice("pullrequest:".length))(payload)
  return event === "diagnostics:ping" ? { _tag: "Ping" } : { _tag: "Other", event }
}
