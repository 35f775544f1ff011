import { levelWord, parseLevel } from "@slipway/domain/access"
import { type CollaboratorLevel, Collaborators, RepositoryTeams, unitsMapOf } from "@slipway/domain/forge"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { CollaboratorsApi, RepositoryTeamsApi } from "../../api/forge/repositories.ts"
import { noContentOr404 } from "./answers.ts"
import { toHttpErrors } from "./errors.ts"
import { granted } from "./guard.ts"
import { answerPage } from "./pages.ts"
import { showTeamTo, showUserTo } from "./show.ts"

class Api extends HttpApi.make("forge").add(CollaboratorsApi).add(RepositoryTeamsApi).prefix("/api/v1") {}

// The schema of the body lets no other word through.
const levelOf = (word: "read" | "write" | "admin") => parseLevel(word) as CollaboratorLevel

/** The handlers of those who collaborate on repositories. */
export const layerCollaborators = HttpApiBuilder.group(Api, "collaborators", (handlers) =>
  handlers.handleAll({
    list: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("repository.collaborator.list")
        const show = yield* showUserTo(proof.resource.actor)
        return yield* answerPage(query, (page) => Collaborators.list(proof, page), show)
      }),
    check: ({ params }) =>
      noContentOr404(
        toHttpErrors(
          Effect.flatMap(granted("repository.collaborator.check"), (proof) =>
            Collaborators.check(proof, params.collaborator)
          )
        )
      ),
    add: ({ params, payload }) =>
      toHttpErrors(
        Effect.flatMap(granted("repository.collaborator.add"), (proof) =>
          Collaborators.add(proof, params.collaborator, levelOf(payload.permission ?? "write"))
        )
      ),
    remove: ({ params }) =>
      toHttpErrors(
        Effect.flatMap(granted("repository.collaborator.remove"), (proof) =>
          Collaborators.remove(proof, params.collaborator)
        )
      ),
    permission: ({ params }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("repository.collaborator.permission")
          const show = yield* showUserTo(proof.resource.actor)
          const { permission, units, user } = yield* Collaborators.permission(proof, params.collaborator)
          const word = levelWord(permission)
          return { permission: word, role_name: word, units: unitsMapOf({ units, owners: false }), user: show(user) }
        })
      )
  })
)

/** The handlers of the teams that hold repositories. */
export const layerRepositoryTeams = HttpApiBuilder.group(Api, "repositoryTeams", (handlers) =>
  handlers.handleAll({
    list: ({ query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("repository.team.list")
          const show = yield* showTeamTo(proof.resource.actor)
          return yield* answerPage(query, (page) => RepositoryTeams.list(proof, page), show)
        })
      ),
    check: ({ params }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("repository.team.check")
          const show = yield* showTeamTo(proof.resource.actor)
          return show(yield* RepositoryTeams.check(proof, params.team))
        })
      ),
    add: ({ params }) =>
      toHttpErrors(Effect.flatMap(granted("repository.team.add"), (proof) => RepositoryTeams.add(proof, params.team))),
    remove: ({ params }) =>
      toHttpErrors(
        Effect.flatMap(granted("repository.team.remove"), (proof) => RepositoryTeams.remove(proof, params.team))
      )
  })
)
