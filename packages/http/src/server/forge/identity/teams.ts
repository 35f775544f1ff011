import { AccessPreview } from "@slipway/forge/explanation"
import { Teams } from "@slipway/forge/identity"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { isYes } from "../../../api/forge/base/schemas.ts"
import { teamEndpoints, teamMemberEndpoints, teamRepositoryEndpoints } from "../../../api/forge/identity/teams.ts"
import { failureMessages } from "../base/errors.ts"
import { renameFields, showTeamTo, showUserTo } from "../base/show.ts"
import { showRepositoriesTo } from "../base/showRepositories.ts"
import { handle, mapRows, orPreview } from "../entry/handle.ts"

const names = {
  includes_all_repositories: "includesAllRepositories",
  can_create_org_repo: "mayCreateRepositories",
  units_map: "unitsMap"
} as const

/** Logs an unexpected exception, and returns the 500 response in the format of searches. */
const searchFailed = (defect: unknown) =>
  Effect.as(
    Effect.logError("a search for teams failed", defect),
    HttpServerResponse.jsonUnsafe({ ok: false, error: failureMessages.internal }, { status: 500 })
  )

/** The handlers of teams. */
export const layerTeams = handle(
  teamEndpoints,
  {
    "organization.team.list": ({ page, proof }) =>
      mapRows(Teams.list(proof, page), (team) => ({ team, organization: proof.resource.organization })),
    "organization.team.create": ({ body, proof }) =>
      Effect.map(Teams.create(proof, renameFields(body, names)), (team) => ({ ...proof.resource, team })),
    "organization.team.search": ({ page, proof, query }) => {
      const filter = { text: query.q, descriptions: query.include_desc === undefined || isYes(query.include_desc) }
      const { organization } = proof.resource
      return mapRows(Teams.search(proof, filter, page), (team) => ({ team, organization })).pipe(
        Effect.catchDefect(searchFailed)
      )
    },
    "account.team.list": ({ page, proof }) => Teams.listOwn(proof, page),
    "team.read": ({ proof }) => Effect.succeed(proof.resource),
    "team.edit": (asked) => {
      const { proof } = asked
      const input = renameFields(asked.body, names)
      const change = Teams.edit(proof, input)
      const changed = Effect.map(change, (team) => ({ ...proof.resource, team }))
      return orPreview(asked, (page) => AccessPreview.ofTeamEdit(proof, input, change, page), changed)
    },
    "team.delete": (asked) => {
      const removal = Teams.remove(asked.proof)
      return orPreview(asked, (page) => AccessPreview.ofTeamDeletion(asked.proof, removal, page), removal)
    }
  },
  { showTo: showTeamTo }
)

/** The handlers of the members of teams. */
export const layerTeamMembers = handle(
  teamMemberEndpoints,
  {
    "team.member.list": ({ page, proof }) => Teams.members(proof, page),
    "team.member.read": ({ params, proof }) => Teams.member(proof, params.username),
    "team.member.add": (asked) => {
      const { params, proof } = asked
      const add = Teams.addMember(proof, params.username)
      return orPreview(asked, (page) => AccessPreview.ofNewMember(proof, params.username, add, page), add)
    },
    "team.member.remove": (asked) => {
      const { params, proof } = asked
      const removal = Teams.removeMember(proof, params.username)
      return orPreview(asked, (page) => AccessPreview.ofFormerMember(proof, params.username, removal, page), removal)
    }
  },
  { showTo: showUserTo }
)

/** The handlers of the repositories of teams. */
export const layerTeamRepositories = handle(
  teamRepositoryEndpoints,
  {
    "team.repository.list": ({ page, proof }) => Teams.repositories(proof, page),
    "team.repository.read": ({ proof }) => Teams.repository(proof),
    "team.repository.add": (asked) => {
      const add = Teams.addRepository(asked.proof)
      return orPreview(asked, (page) => AccessPreview.ofTeamRepository(asked.proof, add, page), add)
    },
    "team.repository.remove": (asked) => {
      const removal = Teams.removeRepository(asked.proof)
      return orPreview(asked, (page) => AccessPreview.ofTeamRepository(asked.proof, removal, page), removal)
    }
  },
  { showAllTo: showRepositoriesTo }
)
