import { levelWord } from "@slipway/domain/access"
import { type Reach, Reaches } from "@slipway/domain/forge"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { ReachApi } from "../../api/forge/reach.ts"
import { showPerson, showPlace } from "./dryRun.ts"
import { onTheWire } from "./errors.ts"
import { granted } from "./guard.ts"
import { answerPage } from "./pages.ts"

class Api extends HttpApi.make("forge").add(ReachApi).prefix("/api/v1") {}

const showReach = ({ permission, repository, units, user }: Reach) => ({
  user: showPerson(user),
  repository: showPlace(repository),
  permission: levelWord(permission),
  units: Object.fromEntries(
    Object.entries(units).map(([unit, { by, level }]) => [unit, { level: levelWord(level), by }])
  )
})

/** The handlers that tell who reaches what. */
export const layerReach = HttpApiBuilder.group(Api, "reach", (handlers) =>
  handlers.handleAll({
    ofMember: ({ params, query }) =>
      onTheWire(
        Effect.gen(function* () {
          const proof = yield* granted("organization.member.access")
          return yield* answerPage(query, (page) => Reaches.ofUser(proof, params.username, page), showReach)
        })
      ),
    ofRepository: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("repository.access.list")
        return yield* answerPage(query, (page) => Reaches.ofRepository(proof, page), showReach)
      })
  })
)
