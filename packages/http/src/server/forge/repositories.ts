import { AccessPreview, Repositories } from "@slipway/domain/forge"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { type CreateRepoOption, type EditRepoOption, RepositoriesApi } from "../../api/forge/repositories.ts"
import { withoutNulls } from "../../api/forge/schemas.ts"
import { orDryRun } from "./dryRun.ts"
import { toHttpErrors } from "./errors.ts"
import { granted } from "./guard.ts"
import { answerPage } from "./pages.ts"
import { renameFields, showHeldTo, unitFields } from "./show.ts"

class Api extends HttpApi.make("forge").add(RepositoriesApi).prefix("/api/v1") {}

const newRepository = (body: typeof CreateRepoOption.Type) => {
  const { object_format_name: _, ...said } = withoutNulls(body)
  return renameFields(said, { default_branch: "defaultBranch", auto_init: "autoInit" })
}

const change = (body: typeof EditRepoOption.Type): Repositories.RepositoryEdit => {
  const {
    has_actions,
    has_code,
    has_issues,
    has_packages,
    has_projects,
    has_pull_requests,
    has_releases,
    has_wiki,
    ...set
  } = withoutNulls(body)
  const switches = {
    has_actions,
    has_code,
    has_issues,
    has_packages,
    has_projects,
    has_pull_requests,
    has_releases,
    has_wiki
  }
  const said = Object.fromEntries(Object.entries(switches).filter(([, on]) => on !== undefined))
  return { ...renameFields(set, { default_branch: "defaultBranch" }), units: renameFields(said, unitFields) }
}

/** The handlers of repositories. */
export const layerRepositories = HttpApiBuilder.group(Api, "repositories", (handlers) =>
  handlers.handleAll({
    create: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("account.repository.create")
          const show = yield* showHeldTo(proof.resource.actor)
          return show(yield* Repositories.create(proof, newRepository(payload)))
        })
      ),
    createIn: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("organization.repository.create")
          const show = yield* showHeldTo(proof.resource.actor)
          return show(yield* Repositories.createIn(proof, newRepository(payload)))
        })
      ),
    createInDeprecated: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("organization.repository.create-deprecated")
          const show = yield* showHeldTo(proof.resource.actor)
          return show(yield* Repositories.createIn(proof, newRepository(payload)))
        })
      ),
    createFor: ({ params, payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("admin.user.repository.create")
          const show = yield* showHeldTo(proof.resource.actor)
          return show(yield* Repositories.createFor(proof, params.username, newRepository(payload)))
        })
      ),
    own: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("account.repository.list")
        const show = yield* showHeldTo(proof.resource.actor)
        return yield* answerPage(query, (page) => Repositories.ofSelf(proof, page), show)
      }),
    ofUser: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("user.repository.list")
        const show = yield* showHeldTo(proof.resource.actor)
        return yield* answerPage(query, (page) => Repositories.ofUser(proof, page), show)
      }),
    ofOrganization: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("organization.repository.list")
        const show = yield* showHeldTo(proof.resource.actor)
        return yield* answerPage(query, (page) => Repositories.ofOrganization(proof, page), show)
      }),
    search: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("repository.search")
        const show = yield* showHeldTo(proof.resource.actor)
        const wrap = (data: ReadonlyArray<unknown>) => ({ ok: true, data })
        return yield* answerPage(query, (page) => Repositories.search(proof, query.q, page), show, wrap)
      }),
    removeAll: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("organization.repository.delete-all")
          const some = yield* Repositories.removeAll(proof)
          return HttpServerResponse.empty({ status: some ? 202 : 204 })
        })
      ),
    read: () =>
      Effect.gen(function* () {
        const proof = yield* granted("repository.read")
        const show = yield* showHeldTo(proof.resource.actor)
        return show(Repositories.read(proof))
      }),
    readById: () =>
      Effect.gen(function* () {
        const proof = yield* granted("repository.read-by-id")
        const show = yield* showHeldTo(proof.resource.actor)
        return show(Repositories.read(proof))
      }),
    edit: ({ payload, query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("repository.edit")
          const show = yield* showHeldTo(proof.resource.actor)
          const said = change(payload)
          return yield* orDryRun(
            query,
            (page) => AccessPreview.ofRepository(proof, Repositories.write(proof, said), page),
            Effect.map(Repositories.edit(proof, said), show)
          )
        })
      ),
    remove: () => toHttpErrors(Effect.flatMap(granted("repository.delete"), Repositories.remove))
  })
)
