import { subjectKinds } from "@slipway/domain/forge"
import { DateTime, Option, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "./access.ts"
import { NotFoundBody } from "./errors.ts"
import { Instant, organizationParams, pageQuery, text, userParams } from "./schemas.ts"

const PersonThen = Schema.Struct({ id: Schema.Int, login: Schema.String })

/** Something that somebody did, or was refused. */
export const AuditEvent = Schema.Struct({
  id: Schema.Int,
  created: Schema.String.annotate({ format: "date-time" }),
  action: Schema.String.annotate({ description: "The action of the access tables that was authorized or asked for." }),
  outcome: Schema.Literals(["done", "refused"]),
  refused_by: Schema.NullOr(Schema.String),
  actor: Schema.NullOr(PersonThen).annotate({ description: "Whom the request acted as, by their name then." }),
  signed_in_as: Schema.NullOr(PersonThen).annotate({ description: "Who signed in, where that is somebody else." }),
  credential: Schema.Literals(["nothing", "password", "proxy", "system", "token"]),
  token: Schema.NullOr(Schema.Struct({ id: Schema.Int, name: Schema.String })),
  address: Schema.String,
  subject: Schema.Struct({
    kind: Schema.Literals(subjectKinds),
    id: Schema.NullOr(Schema.Int),
    name: Schema.String
  }),
  details: Schema.Record(Schema.String, Schema.NullOr(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])))
}).annotate({ identifier: "AuditEvent" })

/** Something that happened in a repository. */
export const Activity = Schema.Struct({
  id: Schema.Int,
  op_type: Schema.Literals(["create_repo", "rename_repo", "edit_repo"]),
  act_user_id: Schema.NullOr(Schema.Int),
  act_user: Schema.NullOr(PersonThen),
  repo_id: Schema.Int,
  repo: Schema.Struct({ id: Schema.Int, name: Schema.String, full_name: Schema.String, private: Schema.Boolean }),
  content: Schema.String,
  is_private: Schema.Boolean,
  created: Schema.String.annotate({ format: "date-time" })
}).annotate({ identifier: "Activity" })

/** Something that site administrators should know of. */
export const Notice = Schema.Struct({
  id: Schema.Int,
  description: Schema.String,
  created: Schema.String.annotate({ format: "date-time" })
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
  until: Schema.optionalKey(Instant),
  ...pageQuery
}

const feed = {
  query: { date: Schema.optionalKey(day.annotate({ description: "The day, in UTC." })), ...pageQuery },
  success: Schema.Array(Activity)
}

/** The endpoints of what happened. */
export class AuditApi extends HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("ofSite", "/admin/audit", { query: log, success: Schema.Array(AuditEvent) })
      .annotate(OpenApi.Summary, "List what was done and refused on the site, newest first")
      .pipe(access("admin.audit.list")),
    HttpApiEndpoint.get("ofOrganization", "/orgs/:org/audit", {
      params: organizationParams,
      query: log,
      success: Schema.Array(AuditEvent)
    })
      .annotate(OpenApi.Summary, "List what was done and refused in an organization, newest first")
      .pipe(access("organization.audit.list")),
    HttpApiEndpoint.get("organizationFeed", "/orgs/:org/activities/feeds", { ...feed, params: organizationParams })
      .annotate(OpenApi.Summary, "List activities in the repositories of an organization")
      .pipe(access("organization.feed.list")),
    HttpApiEndpoint.get("teamFeed", "/teams/:id/activities/feeds", { ...feed, params: { id: Schema.String } })
      .annotate(OpenApi.Summary, "List activities in the repositories of a team")
      .pipe(access("team.feed.list")),
    HttpApiEndpoint.get("userFeed", "/users/:username/activities/feeds", { ...feed, params: userParams })
      .annotate(OpenApi.Summary, "List what a user did in repositories")
      .pipe(access("user.feed.list")),
    HttpApiEndpoint.get("notices", "/admin/notices", { query: pageQuery, success: Schema.Array(Notice) })
      .annotate(OpenApi.Summary, "List what keeps failing")
      .pipe(access("admin.notice.list")),
    HttpApiEndpoint.delete("removeNotice", "/admin/notices/:id", {
      params: { id: Schema.String },
      success: HttpApiSchema.NoContent,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Remove a notice")
      .pipe(access("admin.notice.remove"))
  )
  .annotate(OpenApi.Description, "What was done, what was refused, and what keeps failing.") {}
