import { GitlabApps } from "@slipway/deploy/infrastructure"
import { InvalidInput } from "@slipway/domain"
import type { GitlabApp } from "@slipway/domain/deploy/infrastructure"
import { Effect, Redacted } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { type GitlabAppChange, GitlabAppsApi } from "../../../api/deploy/infrastructure/gitlab-apps.ts"
import { answerList } from "../../lists.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { definedFields, stampsOf } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(GitlabAppsApi).prefix("/api/v1") {}

const apiUrlOf = (htmlUrl: string) => `${htmlUrl}/api/v4`

const show = (app: GitlabApp) => ({
  ...stampsOf(app),
  name: app.name,
  html_url: app.htmlUrl,
  api_url: apiUrlOf(app.htmlUrl),
  custom_user: app.customUser,
  custom_port: app.customPort,
  group_name: app.groups,
  client_id: null,
  redirect_uri: null,
  is_system_wide: false as const,
  is_public: false as const,
  team_id: app.teamId
})

/** Converts a request body to the input of the use case; fails if `api_url` is not the API of the same server. */
const changeOf = Effect.fnUntraced(function* (body: typeof GitlabAppChange.Type, present?: GitlabApp) {
  const htmlUrl = body.html_url?.replace(/\/$/, "")
  const expected = apiUrlOf(htmlUrl ?? present?.htmlUrl ?? "")
  if (body.api_url !== undefined && body.api_url.replace(/\/$/, "") !== expected) {
    return yield* new InvalidInput({ problems: { api_url: [`Must be ${expected}, the API of the server.`] } })
  }
  const { webhook_token: token } = body
  return definedFields({
    name: body.name,
    htmlUrl,
    customUser: body.custom_user,
    customPort: body.custom_port,
    groups: body.group_name,
    webhookToken: token === undefined || token === null ? token : Redacted.make(token)
  }) satisfies Partial<GitlabApps.GitlabAppInput>
})

/** The handlers of GitLab apps. */
export const layerGitlabApps = HttpApiBuilder.group(Api, "gitlab-apps", (handlers) =>
  handlers.handleAll({
    list: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("gitlabApp.list")
        return yield* answerList(query, {
          page: (request) => GitlabApps.list(proof, request),
          all: GitlabApps.stream(proof),
          show: (apps) => Effect.succeed(apps.map(show))
        })
      }),
    create: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("gitlabApp.create")
          const { app, webhookToken } = yield* GitlabApps.create(proof, {
            customUser: "git",
            customPort: 22,
            groups: null,
            webhookToken: null,
            ...(yield* changeOf(payload)),
            name: payload.name,
            htmlUrl: payload.html_url.replace(/\/$/, "")
          })
          return { ...show(app), webhook_token: webhookToken === null ? null : Redacted.value(webhookToken) }
        })
      ),
    get: () => Effect.map(granted("gitlabApp.read"), ({ resource }) => show(resource.gitlabApp)),
    update: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("gitlabApp.update")
          const change = yield* changeOf(payload, proof.resource.gitlabApp)
          return { message: "GitLab app updated successfully", data: show(yield* GitlabApps.update(proof, change)) }
        })
      ),
    delete: () =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* GitlabApps.remove(yield* granted("gitlabApp.delete"))
          return { message: "GitLab app deleted successfully" }
        })
      )
  })
)
