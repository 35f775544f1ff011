import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { all, create, done, edit, endpoints, list, raw, read, remove } from "../base/endpoints.ts"
import { ConflictBody } from "../base/errors.ts"
import { Instant, Moment, optionalNullable, text, User } from "../base/schemas.ts"
import { WatchInfo } from "../code/interests.ts"
import { Attachment, TrackedTime } from "./issues.ts"

const instant = Moment

/** A user's reaction (emoji) to an issue or a comment. */
export const Reaction = Schema.Struct({ user: User, content: Schema.String, created_at: instant }).annotate({
  identifier: "Reaction"
})

/** The number of reactions with one emoji to an issue or one of its comments. */
export const ReactionCount = Schema.Struct({
  comment_id: Schema.Int.annotate({ description: "The comment; 0 for the issue." }),
  content: Schema.String,
  count: Schema.Int,
  own: Schema.Boolean.annotate({ description: "Whether the caller reacted so." })
}).annotate({ identifier: "ReactionCount" })

/** The request body with the emoji of a reaction to add or remove. */
export const EditReactionOption = Schema.Struct({ content: text(64) }).annotate({ identifier: "EditReactionOption" })

const reacting = { body: EditReactionOption }
const added = { ...reacting, answer: Reaction, others: [Reaction.pipe(HttpApiSchema.status(201))] }

/** The endpoints of reactions. */
export const reactionEndpoints = endpoints("reactions", "Reactions to issues and comments.", {
  "issue.reaction.list": list(Reaction),
  "issue.reaction.add": raw(added),
  "issue.reaction.remove": done({ ...reacting, status: 200 }),
  "issue.comment.reaction.list": list(Reaction),
  "issue.comment.reaction.add": raw(added),
  "issue.comment.reaction.remove": done({ ...reacting, status: 200 })
})

/** The endpoint that counts reactions. */
export const reactionCountEndpoints = endpoints("reaction-counts", "Numbers of reactions to issues and comments.", {
  "issue.reaction.count": all(ReactionCount, {
    query: {
      comments: Schema.optionalKey(
        Schema.String.check(Schema.isPattern(/^\d{1,15}(?:,\d{1,15}){0,99}$/)).annotate({
          description: "Ids of comments of the issue, separated by commas, at most 100."
        })
      )
    }
  })
})

/** The request body that adds tracked time to an issue. */
export const AddTimeOption = Schema.Struct({
  time: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000_000 })).annotate({
    description: "In seconds."
  }),
  created: optionalNullable(Instant),
  user_name: optionalNullable(text(255))
}).annotate({ identifier: "AddTimeOption" })

/** A running stopwatch. */
export const StopWatch = Schema.Struct({
  created: instant,
  seconds: Schema.Int,
  duration: Schema.String,
  issue_index: Schema.Int,
  issue_title: Schema.String,
  repo_owner_name: Schema.String,
  repo_name: Schema.String
}).annotate({ identifier: "StopWatch" })

const subscribing = raw({ status: 201, others: [HttpApiSchema.Empty(200)] })

/** The endpoints of subscriptions to issues. */
export const subscriptionEndpoints = endpoints("subscriptions", "Subscriptions of users to issues.", {
  "issue.subscription.list": list(User),
  "issue.subscription.check": read(WatchInfo),
  "issue.subscription.add": subscribing,
  "issue.subscription.remove": subscribing
})

const period = { since: Schema.optionalKey(Instant), before: Schema.optionalKey(Instant) }
const ofUser = { query: { ...period, user: Schema.optionalKey(text(255)) } }
const running = { status: 201, errors: [ConflictBody] }

/** The endpoints of tracked times and stopwatches. */
export const timeEndpoints = endpoints("times", "Time that users track on issues.", {
  "issue.time.list": list(TrackedTime, ofUser),
  "issue.time.create": edit(TrackedTime, { body: AddTimeOption }),
  "issue.time.reset": remove(),
  "issue.time.delete": remove(),
  "repository.time.list": list(TrackedTime, ofUser),
  "repository.time.list-of-user": list(TrackedTime, { query: period }),
  "account.time.list": list(TrackedTime, { query: period }),
  "account.stopwatch.list": list(StopWatch),
  "issue.stopwatch.start": done(running),
  "issue.stopwatch.stop": done(running),
  "issue.stopwatch.delete": done({ errors: [ConflictBody] })
})

/** The request body that changes an attachment. */
export const EditAttachmentOptions = Schema.Struct({ name: optionalNullable(text(255)) }).annotate({
  identifier: "EditAttachmentOptions"
})

const upload = raw({
  streams: true,
  status: 201,
  answer: Attachment,
  query: { name: Schema.optionalKey(text(255)) }
})
const renaming = create(Attachment, { body: EditAttachmentOptions })

/** The endpoints of files attached to issues and comments. An upload sends the file in the form part `attachment`. */
export const attachmentEndpoints = endpoints("attachments", "Files attached to issues and comments.", {
  "issue.asset.list": all(Attachment),
  "issue.asset.create": upload,
  "issue.asset.read": read(Attachment),
  "issue.asset.edit": renaming,
  "issue.asset.delete": remove(),
  "issue.comment.asset.list": all(Attachment),
  "issue.comment.asset.create": upload,
  "issue.comment.asset.read": read(Attachment),
  "issue.comment.asset.edit": renaming,
  "issue.comment.asset.delete": remove()
})
