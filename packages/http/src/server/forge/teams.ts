import { Teams } from "@slipway/domain/forge"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { isYes, saidIn } from "../../api/forge/schemas.ts"
import { TeamsApi } from "../../api/forge/teams.ts"
import { onTheWire, texts } from "./errors.ts"
import { granted } from "./guard.ts"
import { answerPage } from "./pages.ts"
import { renamed, showHeldTo, showTeamTo, showUserTo } from "./show.ts"

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
        return yield* answerPage(
          query,
          (page) => Teams.list(proof, page),
          (team) => showTeamTo(actor, { team, organization })
        )
      }),
    create: ({ payload }) =>
      onTheWire(
        Effect.gen(function* () {
          const proof = yield* granted("organization.team.create")
          const team = yield* Teams.create(proof, renamed(saidIn(payload), names))
          return showTeamTo(proof.resource.actor, { ...proof.resource, team })
        })
      ),
    search: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("organization.team.search")
        const { actor, organization } = proof.resource
        const filter = { text: query.q, descriptions: query.include_desc === undefined || isYes(query.include_desc) }
        return yield* answerPage(
          query,
          (page) => Teams.search(proof, filter, page),
          (team) => showTeamTo(actor, { team, organization }),
          (data) => ({ ok: true, data })
        )
      }).pipe(Effect.catchDefect(searchFailed)),
    own: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("account.team.list")
        const { actor } = proof.resource
        return yield* answerPage(
          query,
          (page) => Teams.listOwn(proof, page),
          (each) => showTeamTo(actor, each)
        )
      }),
    read: () => Effect.map(granted("team.read"), ({ resource }) => showTeamTo(resource.actor, resource)),
    edit: ({ payload }) =>
      onTheWire(
        Effect.gen(function* () {
          const proof = yield* granted("team.edit")
          const team = yield* Teams.edit(proof, renamed(saidIn(payload), names))
          return showTeamTo(proof.resource.actor, { ...proof.resource, team })
        })
      ),
    delete: () => onTheWire(Effect.flatMap(granted("team.delete"), Teams.remove)),
    members: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("team.member.list")
        const show = yield* showUserTo(proof.resource.actor)
        return yield* answerPage(query, (page) => Teams.members(proof, page), show)
      }),
    member: ({ params }) =>
      onTheWire(
        Effect.gen(function* () {
          const proof = yield* granted("team.member.read")
          const show = yield* showUserTo(proof.resource.actor)
          return show(yield* Teams.member(proof, params.username))
        })
      ),
    addMember: ({ params }) =>
      onTheWire(Effect.flatMap(granted("team.member.add"), (proof) => Teams.addMember(proof, params.username))),
    removeMember: ({ params }) =>
      onTheWire(Effect.flatMap(granted("team.member.remove"), (proof) => Teams.removeMember(proof, params.username))),
    repositories: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("team.repository.list")
        const show = yield* showHeldTo(proof.resource.actor)
        return yield* answerPage(query, (page) => Teams.repositories(proof, page), show)
      }),
    repository: () =>
      onTheWire(
        Effect.gen(function* () {
          const proof = yield* granted("team.repository.read")
          const show = yield* showHeldTo(proof.resource.actor)
          return show(yield* Teams.repository(proof))
        })
      ),
    addRepository: () => onTheWire(Effect.flatMap(granted("team.repository.add"), Teams.addRepository)),
    removeRepository: () => onTheWire(Effect.flatMap(granted("team.repository.remove"), Teams.removeRepository))
  })
)
