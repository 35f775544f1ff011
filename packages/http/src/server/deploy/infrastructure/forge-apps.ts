import { numbersOf } from "@slipway/deploy/apps"
import { ForgeApps } from "@slipway/deploy/infrastructure"
import type { HostedBranch, HostedRepository } from "@slipway/domain/deploy/apps"
import { type ForgeApp, isConnected, type PrivateKeyUuid } from "@slipway/domain/deploy/infrastructure"
import { Effect, Redacted } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { coolifyGithubAppFields } from "../../../api/deploy/base/coolifyFields.ts"
import {
  type ForgeAppChange,
  type ForgeAppCreation,
  ForgeAppsApi
} from "../../../api/deploy/infrastructure/forge-apps.ts"
import { answerList } from "../../lists.ts"
import { createdIn } from "../../wire/locationHeader.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { showForgeApp } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(ForgeAppsApi).prefix("/api/v1") {}

type Mutable<A> = { -readonly [Key in keyof A]: A[Key] }

/** Converts the fields of a request body to the domain's names; omitted fields are left out. */
const changeOf = (body: (typeof ForgeAppChange)["Type"]): Partial<ForgeApps.ForgeAppInput> => {
  const input: Mutable<Partial<ForgeApps.ForgeAppInput>> = {}
  if (body.name !== undefined) input.name = body.name
  if (body.organization !== undefined) input.organization = body.organization
  if (body.api_url !== undefined) input.apiUrl = body.api_url
  if (body.html_url !== undefined) input.htmlUrl = body.html_url
  if (body.custom_user !== undefined) input.customUser = body.custom_user
  if (body.custom_port !== undefined) input.customPort = body.custom_port
  if (body.app_id !== undefined) input.appId = body.app_id
  if (body.installation_id !== undefined) input.installationId = body.installation_id
  if (body.client_id !== undefined) input.clientId = body.client_id
  if (body.client_secret !== undefined) input.clientSecret = Redacted.make(body.client_secret)
  if (body.webhook_secret !== undefined) {
    input.webhookSecret = body.webhook_secret === null ? null : Redacted.make(body.webhook_secret)
  }
  if (body.private_key_uuid !== undefined) input.privateKeyUuid = body.private_key_uuid as PrivateKeyUuid
  return input
}

const creationOf = (body: (typeof ForgeAppCreation)["Type"]): ForgeApps.ForgeAppInput => ({
  organization: null,
  apiUrl: `${body.html_url.replace(/\/$/, "")}/api/v1`,
  customUser: "git",
  customPort: 22,
  webhookSecret: null,
  ...changeOf(body),
  name: body.name,
  htmlUrl: body.html_url,
  appId: body.app_id,
  installationId: body.installation_id,
  clientId: body.client_id,
  clientSecret: Redacted.make(body.client_secret),
  privateKeyUuid: body.private_key_uuid as PrivateKeyUuid
})

/** Returns the API URL for the web URL of github.com or a GitHub Enterprise server. */
const githubApiOf = (html: string) =>
  /^https:\/\/github\.com\/?$/i.test(html) ? "https://api.github.com" : `${html.replace(/\/$/, "")}/api/v3`

/** Converts installations to API responses; reads the numeric ids of all their keys in one query. */
const showGithubApps = Effect.fnUntraced(function* (apps: ReadonlyArray<ForgeApp>) {
  const numberOf = yield* numbersOf(apps.map(({ privateKeyUuid }) => privateKeyUuid))
  return apps.map((app) => ({
    ...showForgeApp(app),
    team_id: app.teamId,
    private_key_id: numberOf(app.privateKeyUuid),
    type: isConnected(app) ? ("forge" as const) : ("github" as const),
    ...coolifyGithubAppFields
  }))
})

const showGithubApp = Effect.fnUntraced(function* (app: ForgeApp) {
  // INVARIANT: one result for one row.
  const [shown] = yield* showGithubApps([app])
  return shown as NonNullable<typeof shown>
})

const showRepository = (repository: HostedRepository) => ({
  id: repository.id,
  name: repository.name,
  full_name: repository.fullName,
  private: repository.isPrivate,
  html_url: repository.htmlUrl,
  clone_url: repository.cloneUrl,
  default_branch: repository.defaultBranch,
  owner: { login: repository.owner }
})

const showBranch = ({ commit, isProtected, name }: HostedBranch) => ({
  name,
  commit: { sha: commit },
  protected: isProtected
})

/** The handlers of git-hosting app installations. */
export const layerForgeApps = HttpApiBuilder.group(Api, "forge-apps", (handlers) =>
  handlers.handleAll({
    list: ({ query: { private_key_uuid: key, ...query } }) =>
      Effect.gen(function* () {
        const proof = yield* granted("forgeApp.list")
        return yield* answerList(query, {
          page: (request) => ForgeApps.list(proof, request, key),
          all: ForgeApps.stream(proof, key),
          show: (apps) => Effect.succeed(apps.map(showForgeApp))
        })
      }),
    create: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("forgeApp.create")
          return createdIn("/api/v1/forge-apps", yield* ForgeApps.create(proof, creationOf(payload)))
        })
      ),
    get: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("forgeApp.read")
          return showForgeApp(proof.resource.forgeApp)
        })
      ),
    update: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("forgeApp.update")
          return showForgeApp(yield* ForgeApps.update(proof, changeOf(payload)))
        })
      ),
    delete: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("forgeApp.delete")
          yield* ForgeApps.remove(proof)
          return { message: "App installation deleted." }
        })
      ),
    listGithub: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("forgeApp.list")
        return yield* answerList(query, {
          page: (request) => ForgeApps.list(proof, request),
          all: ForgeApps.stream(proof),
          show: showGithubApps
        })
      }),
    createGithub: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("forgeApp.create")
          const body = { api_url: githubApiOf(payload.html_url), ...payload }
          return yield* showGithubApp(yield* ForgeApps.create(proof, creationOf(body)))
        })
      ),
    getGithub: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("forgeApp.read")
          return yield* showGithubApp(proof.resource.forgeApp)
        })
      ),
    updateGithub: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("forgeApp.update")
          const data = yield* showGithubApp(yield* ForgeApps.update(proof, changeOf(payload)))
          return { message: "GitHub app updated successfully", data }
        })
      ),
    deleteGithub: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("forgeApp.delete")
          yield* ForgeApps.remove(proof)
          return { message: "GitHub app deleted successfully" }
        })
      ),
    repositories: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("forgeApp.read")
          return { repositories: (yield* ForgeApps.repositories(proof)).map(showRepository) }
        })
      ),
    branches: ({ params }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("forgeApp.read")
          const repository = { owner: params.owner, name: params.repo }
          return { branches: (yield* ForgeApps.branches(proof, repository)).map(showBranch) }
        })
      )
  })
)
