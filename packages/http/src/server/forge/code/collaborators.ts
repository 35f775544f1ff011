import { levelWord, parseLevel } from "@slipway/access"
import type { CollaboratorLevel } from "@slipway/domain/forge/code"
import { roleOf } from "@slipway/domain/forge/explanation"
import { unitsMapOf } from "@slipway/domain/forge/identity"
import { Collaborators, RepositoryTeams } from "@slipway/forge/code"
import { Effect } from "effect"
import { collaboratorEndpoints, repositoryTeamEndpoints } from "../../../api/forge/code/repositories.ts"
import { showTeamTo, showUserTo } from "../base/show.ts"
import { handle, shown } from "../entry/handle.ts"

// The schema of the body allows no other word.
const levelOf = (word: "read" | "write" | "admin") => parseLevel(word) as CollaboratorLevel

/** The handlers of the collaborators of repositories. */
export const layerCollaborators = handle(
  collaboratorEndpoints,
  {
    "repository.collaborator.list": ({ page, proof }) => Collaborators.list(proof, page),
    "repository.collaborator.check": ({ params, proof }) => Collaborators.check(proof, params.collaborator),
    "repository.collaborator.add": ({ body, params, proof }) =>
      Collaborators.add(proof, params.collaborator, levelOf(body.permission ?? "write")),
    "repository.collaborator.remove": ({ params, proof }) => Collaborators.remove(proof, params.collaborator),
    "repository.collaborator.permission": ({ params, proof }) =>
      Effect.gen(function* () {
        const show = yield* showUserTo(proof.resource)
        const { permission, units, user } = yield* Collaborators.permission(proof, params.collaborator)
        const word = levelWord(roleOf({ permission, units }))
        return shown({
          permission: word,
          role_name: word,
          units: unitsMapOf({ units, owners: false }),
          user: show(user)
        })
      })
  },
  { showTo: showUserTo }
)

/** The handlers of the teams that have access to repositories. */
export const layerRepositoryTeams = handle(
  repositoryTeamEndpoints,
  {
    "repository.team.list": ({ page, proof }) => RepositoryTeams.list(proof, page),
    "repository.team.check": ({ params, proof }) => RepositoryTeams.check(proof, params.team),
    "repository.team.add": ({ params, proof }) => RepositoryTeams.add(proof, params.team),
    "repository.team.remove": ({ params, proof }) => RepositoryTeams.remove(proof, params.team)
  },
  { showTo: showTeamTo }
)
