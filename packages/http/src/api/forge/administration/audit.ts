import { subjectKinds } from "@slipway/domain/forge/identity"
import { DateTime, Option, Schema } from "effect"
import { all, check, endpoints, list } from "../base/endpoints.ts"
import { Instant, Moment, QueryFlag, Repository, text, User } from "../base/schemas.ts"

const PersonThen = Schema.Struct({ id: Schema.Int, login: Schema.String })

/** A record of the audit log: an action of a user that was performed or denied. */
export const AuditEvent = Schema.Struct({
  id: Schema.Int,
  created: Schema.String.annotate({ format: "date-time" }),
  action: Schema.String.annotate({
    description: "The authorized or requested action, by its name in the access tables."
  }),
  outcome: Schema.Literals(["done", "refused"]),
  refused_by: Schema.NullOr(Schema.String),
  actor: Schema.NullOr(PersonThen).annotate({ description: "The acting user, by their name at that time." }),
  signed_in_as: Schema.NullOr(PersonThen).annotate({ description: "The signed-in user, if another user acted." }),
  credential: Schema.Literals(["nothing", "password", "proxy", "system", "token", "key"]),
  token: Schema.NullOr(Schema.Struct({ id: Schema.Int, name: Schema.String })),
  address: Schema.String,
  subject: Schema.Struct({
    kind: Schema.Literals(subjectKinds),
    id: Schema.NullOr(Schema.Int),
    name: Schema.String
  }),
  details: Schema.Record(Schema.String, Schema.NullOr(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])))
}).annotate({ identifier: "AuditEvent" })

/** The operation of an activity, by its name in Gitea. */
export const ActivityOperation = Schema.Literals([
  "create_repo",
  "rename_repo",
  "edit_repo",
  "commit_repo",
  "push_tag",
  "delete_branch",
  "delete_tag",
  "create_issue",
  "close_issue",
  "reopen_issue",
  "comment_issue",
  "create_pull_request",
  "close_pull_request",
  "reopen_pull_request",
  "comment_pull",
  "merge_pull_request",
  "publish_release"
])

/** An event in a repository, as an entry of the activity feed. */
export const Activity = Schema.Struct({
  id: Schema.Int,
  op_type: ActivityOperation,
  act_user_id: Schema.NullOr(Schema.Int),
  act_user: Schema.NullOr(User),
  repo_id: Schema.Int,
  repo: Repository,
  ref_name: Schema.String,
  comment_id: Schema.Int.annotate({ description: "The comment; 0 without one." }),
  content: Schema.String.annotate({
    description:
      "The new name; the title of a release; `number|text` for issues, pull requests and comments, at most 200 characters of it; for a push, JSON with at most five of the newest commits, the head commit, the number of commits and the compare URL."
  }),
  is_private: Schema.Boolean,
  created: Moment
}).annotate({ identifier: "Activity" })

/** A notice for site administrators. */
export const Notice = Schema.Struct({
  id: Schema.Int,
  description: Schema.String,
  created: Moment
}).annotate({ identifier: "Notice" })

const day = Schema.String.check(
  Schema.makeFilter((value: string) =>
    /^\d{4}-\d{2}-\d{2}$/.test(value) && Option.isSome(DateTime.make(value))
      ? undefined
      : "must be a day, such as 2030-01-31"
  )
)

const log = {
  actor: Schema.optionalKey(text(255)),
  action: Schema.optionalKey(text(255)),
  since: Schema.optionalKey(Instant),
  until: Schema.optionalKey(Instant)
}

const feed = { date: Schema.optionalKey(day.annotate({ description: "The day, in UTC." })) }

const onlyPerformed = Schema.optionalKey(
  QueryFlag.annotate({
    description:
      "Whether to omit what others did in the repositories that the user watches; they are listed by default."
  })
)

/** The number of a user's actions in 15 minutes, for the heatmap of the user's activity. */
export const UserHeatmapData = Schema.Struct({
  timestamp: Schema.Int.annotate({ description: "In seconds since 1970." }),
  contributions: Schema.Int
}).annotate({ identifier: "UserHeatmapData" })

/** The endpoints of the audit log and activities. */
export const auditEndpoints = endpoints(
  "audit",
  "Audit events: performed and rejected actions, and repeated failures.",
  {
    "admin.audit.list": list(AuditEvent, { query: log }),
    "organization.audit.list": list(AuditEvent, { query: log }),
    "organization.feed.list": list(Activity, { query: feed }),
    "team.feed.list": list(Activity, { query: feed }),
    "repository.feed.list": list(Activity, { query: feed }),
    "user.feed.list": list(Activity, { query: { ...feed, "only-performed-by": onlyPerformed } }),
    "user.heatmap": all(UserHeatmapData),
    "admin.notice.list": list(Notice),
    "admin.notice.remove": check()
  }
)
