import type { PageRequest } from "@slipway/domain"
import { AccessPreview, Teams } from "@slipway/domain/forge"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { isYes, withoutNulls } from "../../api/forge/schemas.ts"
import { TeamsApi } from "../../api/forge/teams.ts"
import { orDryRun } from "./dryRun.ts"
import { texts, toHttpErrors } from "./errors.ts"
import { granted } from "./guard.ts"
import { answerPage } from "./pages.ts"
import { renameFields, showHeldTo, showTeamTo, showUserTo } from "./show.ts"

class Api extends HttpApi.make("forge").add(TeamsApi).prefix("/api/v1") {}

const names = {
  includes_all_repositories: "includesAllRepositories",
  can_create_org_repo: "mayCreateRepositories",
  units_map: "unitsMap"
} as const

/** Answers a failure of the program as searches do, and says in the log what it was. */
const searchFailed = (defect: unknown) =>
  Effect.as(
    Effect.logError("a search for teams failed", defect),
    HttpServerResponse.jsonUnsafe({ ok: false, error: texts.internal }, { status: 500 })
  )

/** The handlers of teams. */
export const layerTeams = HttpApiBuilder.group(Api, "teams", (handlers) =>
  handlers.handleAll({
    list: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("organization.team.list")
        const { actor, organization } = proof.resource
        const show = yield* showTeamTo(actor)
        return yield* answerPage(
          query,
          (page) => Teams.list(proof, page),
          (team) => show({ team, organization })
        )
      }),
    create: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("organization.team.create")
          const team = yield* Teams.create(proof, renameFields(withoutNulls(payload), names))
          const show = yield* showTeamTo(proof.resource.actor)
          return show({ ...proof.resource, team })
        })
      ),
    search: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("organization.team.search")
        const { actor, organization } = proof.resource
        const show = yield* showTeamTo(actor)
        const filter = { text: query.q, descriptions: query.include_desc === undefined || isYes(query.include_desc) }
        return yield* answerPage(
          query,
          (page) => Teams.search(proof, filter, page),
          (team) => show({ team, organization }),
          (data) => ({ ok: true, data })
        )
      }).pipe(Effect.catchDefect(searchFailed)),
    own: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("account.team.list")
        const show = yield* showTeamTo(proof.resource.actor)
        return yield* answerPage(query, (page) => Teams.listOwn(proof, page), show)
      }),
    read: () =>
      Effect.gen(function* () {
        const { resource } = yield* granted("team.read")
        const show = yield* showTeamTo(resource.actor)
        return show(resource)
      }),
    edit: ({ payload, query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("team.edit")
          const input = renameFields(withoutNulls(payload), names)
          const edit = Teams.edit(proof, input)
          const show = yield* showTeamTo(proof.resource.actor)
          return yield* orDryRun(
            query,
            (page) => AccessPreview.ofTeamEdit(proof, input, edit, page),
            Effect.map(edit, (team) => show({ ...proof.resource, team }))
          )
        })
      ),
    delete: ({ query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("team.delete")
          const remove = Teams.remove(proof)
          return yield* orDryRun(query, (page) => AccessPreview.ofTeamDeletion(proof, remove, page), remove)
        })
      ),
    members: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("team.member.list")
        const show = yield* showUserTo(proof.resource.actor)
        return yield* answerPage(query, (page) => Teams.members(proof, page), show)
      }),
    member: ({ params }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("team.member.read")
          const show = yield* showUserTo(proof.resource.actor)
          return show(yield* Teams.member(proof, params.username))
        })
      ),
    addMember: ({ params, query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("team.member.add")
          const add = Teams.addMember(proof, params.username)
          return yield* orDryRun(query, (page) => AccessPreview.ofNewMember(proof, params.username, add, page), add)
        })
      ),
    removeMember: ({ params, query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("team.member.remove")
          const remove = Teams.removeMember(proof, params.username)
          const preview = (page: PageRequest) => AccessPreview.ofFormerMember(proof, params.username, remove, page)
          return yield* orDryRun(query, preview, remove)
        })
      ),
    repositories: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("team.repository.list")
        const show = yield* showHeldTo(proof.resource.actor)
        return yield* answerPage(query, (page) => Teams.repositories(proof, page), show)
      }),
    repository: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("team.repository.read")
          const show = yield* showHeldTo(proof.resource.actor)
          return show(yield* Teams.repository(proof))
        })
      ),
    addRepository: ({ query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("team.repository.add")
          const add = Teams.addRepository(proof)
          return yield* orDryRun(query, (page) => AccessPreview.ofTeamRepository(proof, add, page), add)
        })
      ),
    removeRepository: ({ query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("team.repository.remove")
          const remove = Teams.removeRepository(proof)
          return yield* orDryRun(query, (page) => AccessPreview.ofTeamRepository(proof, remove, page), remove)
        })
      )
  })
)
