import { Option, Schema } from "effect"
import type { PayloadReader, Pusher } from "../WebhookEvent.ts"
import { Commit, maybe, payloadReader, pushOf } from "./common.ts"
import { pullRequest } from "./github.ts"

/** A user with a positive id; forges send the id -1 for a deleted user. */
const decodeUser = Schema.decodeUnknownOption(
  Schema.Struct({ id: Schema.Number.check(Schema.isInt(), Schema.isGreaterThan(0)), login: Schema.String })
)

/** Returns the user who pushed. An invalid one does not make the payload unreadable. */
const pusherOf = (pusher: unknown, sender: unknown): Pusher | undefined => {
  const user = Option.orElse(decodeUser(pusher), () => decodeUser(sender))
  return Option.getOrUndefined(Option.map(user, ({ id, login }) => ({ id: String(id), name: login })))
}

const push = payloadReader(
  Schema.Struct({
    ref: Schema.String,
    before: Schema.String,
    after: Schema.String,
    commits: maybe(Schema.Array(Commit)),
    total_commits: maybe(Schema.Number),
    pusher: maybe(Schema.Unknown),
    sender: maybe(Schema.Unknown)
  }),
  ({ commits: listed, pusher, sender, total_commits: total, ...moved }) => {
    const commits = listed ?? []
    // Gitea lists only a few commits, and older versions omit the total number.
    return pushOf({ ...moved, commits, isWhole: total === commits.length, pusher: pusherOf(pusher, sender) })
  }
)

/** Parses a webhook payload of Gitea. */
export const gitea: PayloadReader = (event, payload) => {
  if (event === "push") return push(payload)
  return event === "pull_request" ? pullRequest(payload) : { _tag: "Other", event }
}
