import { line, lineThat, nonEmpty, whole } from "@slipway/domain/deploy/apps"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { BadRequestBody, bodyErrors, NotFoundBody } from "../base/errors.ts"
import { listOf, Message, Name, pageQuery } from "../base/schemas.ts"

const isServer = (value: string): boolean =>
  /^https?:\/\/[^\s@?#\\]+$/.test(value) && URL.canParse(value) && new URL(value).pathname === "/"

const HtmlUrl = lineThat(isServer, "Must be the http(s) address of a GitLab server, without a path.", 2_048)
const SshUser = nonEmpty(
  lineThat((value) => /^[a-z_][a-z0-9_-]*$/.test(value), "Must be the user of the SSH server, such as git.", 32)
)
const Groups = lineThat(
  (value) => value.split(",").every((group) => /^\w[\w.-]*(?:\/\w[\w.-]*)*$/.test(group.trim())),
  "Must be the paths of groups, separated by commas, such as acme,tools/infra.",
  2_048
)

// The platform reads repositories with deploy keys, so it needs no OAuth2 client of GitLab.
const unused = {
  client_id: Schema.optionalKey(Schema.Null),
  client_secret: Schema.optionalKey(Schema.Null),
  redirect_uri: Schema.optionalKey(Schema.Null),
  is_system_wide: Schema.optionalKey(Schema.Literal(false))
}

const optional = {
  api_url: Schema.optionalKey(line(2_048)),
  custom_user: Schema.optionalKey(SshUser),
  custom_port: Schema.optionalKey(whole(1, 65_535)),
  group_name: Schema.optionalKey(Schema.NullOr(Groups)),
  webhook_token: Schema.optionalKey(Schema.NullOr(nonEmpty(line(255)))),
  ...unused
}

/** A GitLab app as returned by the API, without its webhook token. */
export const GitlabApp = Schema.Struct({
  id: Schema.Number,
  uuid: Schema.String,
  name: Schema.String,
  html_url: Schema.String,
  api_url: Schema.String,
  custom_user: Schema.String,
  custom_port: Schema.Number,
  group_name: Schema.NullOr(Schema.String),
  client_id: Schema.Null,
  redirect_uri: Schema.Null,
  is_system_wide: Schema.Literal(false),
  is_public: Schema.Literal(false),
  team_id: Schema.Number,
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "GitlabApp" })

/** The response to the creation of a GitLab app. */
export const CreatedGitlabApp = Schema.Struct({
  ...GitlabApp.fields,
  /** The generated webhook token, which is never shown again; null if the body set one. */
  webhook_token: Schema.NullOr(Schema.String)
}).annotate({ identifier: "CreatedGitlabApp" })

/** The request body that stores a GitLab app. */
export const GitlabAppCreation = Schema.Struct({ name: Name, html_url: HtmlUrl, ...optional })

/** The request body that changes a GitLab app. */
export const GitlabAppChange = Schema.Struct({
  name: Schema.optionalKey(Name),
  html_url: Schema.optionalKey(HtmlUrl),
  ...optional
})

const all = "/gitlab-apps"
const path = "/gitlab-apps/:gitlab_app_id"
const params = { gitlab_app_id: Schema.String }

/** The endpoints of GitLab apps. */
export class GitlabAppsApi extends HttpApiGroup.make("gitlab-apps")
  .add(
    HttpApiEndpoint.get("list", all, { query: pageQuery, success: listOf(GitlabApp), error: BadRequestBody })
      .annotate(OpenApi.Summary, "List GitLab apps")
      .pipe(access("gitlabApp.list")),
    HttpApiEndpoint.post("create", all, {
      payload: GitlabAppCreation,
      success: CreatedGitlabApp.pipe(HttpApiSchema.status(201)),
      error: bodyErrors
    })
      .annotate(OpenApi.Summary, "Store a GitLab app: the SSH server and the webhook token of a GitLab server")
      .pipe(access("gitlabApp.create")),
    // Not in the specification: an app by its number or UUID.
    HttpApiEndpoint.get("get", path, { params, success: GitlabApp, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read a GitLab app, by number or UUID")
      .pipe(access("gitlabApp.read")),
    HttpApiEndpoint.patch("update", path, {
      params,
      payload: GitlabAppChange,
      success: Schema.Struct({ message: Schema.String, data: GitlabApp }),
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Change a GitLab app, by number or UUID")
      .pipe(access("gitlabApp.update")),
    HttpApiEndpoint.delete("delete", path, { params, success: Message, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Delete a GitLab app, by number or UUID")
      .pipe(access("gitlabApp.delete"))
  )
  .annotate(OpenApi.Description, "GitLab servers, with their SSH server for deploy keys and the token of webhooks.") {}
