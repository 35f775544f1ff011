import { line, nonEmpty, whole } from "@slipway/domain/deploy/apps"
import { PrivateKeyUuid } from "@slipway/domain/deploy/infrastructure"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { sameFields } from "../base/coolifyFields.ts"
import { BadGatewayBody, BadRequestBody, bodyErrors, ConflictBody, NotFoundBody } from "../base/errors.ts"
import { createdAnswer, listOf, Message, Name, pageQuery, stamps } from "../base/schemas.ts"

const Url = line(2_048).check(
  Schema.makeFilter((value: string) =>
    /^https?:\/\/[^\s@]+$/.test(value) && URL.canParse(value) ? undefined : "Must be an http(s) address."
  )
)
const Id = whole(1, Number.MAX_SAFE_INTEGER)
const Secret = nonEmpty(line(10_000))

const plain = {
  organization: Schema.NullOr(line(255)),
  api_url: Url,
  custom_user: line(32),
  custom_port: whole(1, 65_535)
}

/** An installation of a git-hosting app as returned by the API, without its secrets. */
export const ForgeApp = Schema.Struct({
  ...stamps,
  name: Schema.String,
  html_url: Schema.String,
  app_id: Schema.Number,
  installation_id: Schema.Number,
  client_id: Schema.String,
  /** The uuid of the app's signing key; null for a forge connection. */
  private_key_uuid: Schema.NullOr(Schema.String),
  ...plain
}).annotate({ identifier: "ForgeApp" })

const optional = {
  organization: Schema.optionalKey(plain.organization),
  api_url: Schema.optionalKey(plain.api_url),
  custom_user: Schema.optionalKey(plain.custom_user),
  custom_port: Schema.optionalKey(plain.custom_port),
  webhook_secret: Schema.optionalKey(Schema.NullOr(Secret))
}

/** The request body that stores the installation of a git-hosting app. */
export const ForgeAppCreation = Schema.Struct({
  name: Name,
  html_url: Url,
  app_id: Id,
  installation_id: Id,
  client_id: line(255),
  client_secret: Secret,
  private_key_uuid: PrivateKeyUuid,
  ...optional
})

/** The request body that changes the installation of a git-hosting app. */
export const ForgeAppChange = Schema.Struct({
  name: Schema.optionalKey(Name),
  html_url: Schema.optionalKey(Url),
  app_id: Schema.optionalKey(Id),
  installation_id: Schema.optionalKey(Id),
  client_id: Schema.optionalKey(line(255)),
  client_secret: Schema.optionalKey(Secret),
  private_key_uuid: Schema.optionalKey(PrivateKeyUuid),
  ...optional
})

/** An app installation in the format that Coolify clients expect. */
export const GithubApp = Schema.Struct({
  ...ForgeApp.fields,
  team_id: Schema.Number,
  /** The numeric id of the signing key. */
  private_key_id: Schema.NullOr(Schema.Number),
  /** `forge` for a forge connection, which is changed by the endpoint `/forge-connections`; otherwise `github`. */
  type: Schema.Literals(["forge", "github"]),
  ...sameFields.githubApp
}).annotate({ identifier: "GithubApp" })

/** A repository that the app installation can read. */
export const HostedRepository = Schema.Struct({
  id: Schema.Number,
  name: Schema.String,
  full_name: Schema.String,
  private: Schema.Boolean,
  html_url: Schema.String,
  clone_url: Schema.String,
  default_branch: Schema.NullOr(Schema.String),
  owner: Schema.Struct({ login: Schema.String })
}).annotate({ identifier: "HostedRepository" })

/** A branch of a repository that the app installation can read. */
export const HostedBranch = Schema.Struct({
  name: Schema.String,
  commit: Schema.Struct({ sha: Schema.String }),
  protected: Schema.Boolean
}).annotate({ identifier: "HostedBranch" })

// One team is the whole instance, and all its resources are available to everyone.
const scope = { is_system_wide: Schema.optionalKey(Schema.Literal(false)) }

const uuid = { uuid: Schema.String }
const githubApp = { github_app_id: Schema.String }

/** The endpoints of git-hosting app installations. */
export class ForgeAppsApi extends HttpApiGroup.make("forge-apps")
  .add(
    HttpApiEndpoint.get("list", "/forge-apps", {
      query: { ...pageQuery, private_key_uuid: Schema.optionalKey(PrivateKeyUuid) },
      success: listOf(ForgeApp),
      error: BadRequestBody
    })
      .annotate(OpenApi.Summary, "List app installations, or those with a private key")
      .pipe(access("forgeApp.list")),
    HttpApiEndpoint.post("create", "/forge-apps", {
      payload: ForgeAppCreation,
      success: createdAnswer,
      error: bodyErrors
    })
      .annotate(OpenApi.Summary, "Store an app installation")
      .pipe(access("forgeApp.create")),
    HttpApiEndpoint.get("get", "/forge-apps/:uuid", { params: uuid, success: ForgeApp, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read an app installation")
      .pipe(access("forgeApp.read")),
    HttpApiEndpoint.patch("update", "/forge-apps/:uuid", {
      params: uuid,
      payload: ForgeAppChange,
      success: ForgeApp,
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Change an app installation")
      .pipe(access("forgeApp.update")),
    HttpApiEndpoint.delete("delete", "/forge-apps/:uuid", {
      params: uuid,
      success: Message,
      error: [BadRequestBody, NotFoundBody, ConflictBody]
    })
      .annotate(OpenApi.Summary, "Delete an unused app installation")
      .pipe(access("forgeApp.delete")),
    HttpApiEndpoint.get("listGithub", "/github-apps", {
      query: pageQuery,
      success: listOf(GithubApp),
      error: BadRequestBody
    })
      .annotate(OpenApi.Summary, "List app installations, under Coolify's name")
      .pipe(access("forgeApp.list")),
    HttpApiEndpoint.post("createGithub", "/github-apps", {
      payload: ForgeAppCreation.pipe(Schema.fieldsAssign(scope)),
      success: GithubApp.pipe(HttpApiSchema.status(201)),
      error: bodyErrors
    })
      .annotate(OpenApi.Summary, "Store an app installation, under Coolify's name")
      .pipe(access("forgeApp.create")),
    HttpApiEndpoint.get("getGithub", "/github-apps/:github_app_id", {
      params: githubApp,
      success: GithubApp,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Read an app installation, by number or UUID")
      .pipe(access("forgeApp.read")),
    HttpApiEndpoint.patch("updateGithub", "/github-apps/:github_app_id", {
      params: githubApp,
      payload: ForgeAppChange.pipe(Schema.fieldsAssign(scope)),
      success: Schema.Struct({ message: Schema.String, data: GithubApp }),
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Change an app installation, by number or UUID")
      .pipe(access("forgeApp.update")),
    HttpApiEndpoint.delete("deleteGithub", "/github-apps/:github_app_id", {
      params: githubApp,
      success: Message,
      error: [BadRequestBody, NotFoundBody, ConflictBody]
    })
      .annotate(OpenApi.Summary, "Delete an unused app installation, by number or UUID")
      .pipe(access("forgeApp.delete")),
    HttpApiEndpoint.get("repositories", "/github-apps/:github_app_id/repositories", {
      params: githubApp,
      success: Schema.Struct({ repositories: Schema.Array(HostedRepository) }),
      error: [NotFoundBody, BadGatewayBody]
    })
      .annotate(OpenApi.Summary, "List the repositories that an app installation can read, at most 1,000")
      .pipe(access("forgeApp.read")),
    HttpApiEndpoint.get("branches", "/github-apps/:github_app_id/repositories/:owner/:repo/branches", {
      params: { ...githubApp, owner: Schema.String, repo: Schema.String },
      success: Schema.Struct({ branches: Schema.Array(HostedBranch) }),
      error: [NotFoundBody, BadGatewayBody]
    })
      .annotate(OpenApi.Summary, "List the branches of a repository that an app installation can read, at most 1,000")
      .pipe(access("forgeApp.read"))
  )
  .annotate(OpenApi.Description, "Installations of git-hosting apps, which give access to private repositories.") {}
