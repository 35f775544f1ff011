import { levelWord } from "@slipway/domain/access"
import { type EffectiveAccess, EffectiveAccesses } from "@slipway/domain/forge"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { EffectiveAccessApi } from "../../api/forge/effectiveAccess.ts"
import { showPerson, showPlace } from "./dryRun.ts"
import { toHttpErrors } from "./errors.ts"
import { granted } from "./guard.ts"
import { answerPage } from "./pages.ts"

class Api extends HttpApi.make("forge").add(EffectiveAccessApi).prefix("/api/v1") {}

const showEffectiveAccess = ({ permission, repository, units, user }: EffectiveAccess) => ({
  user: showPerson(user),
  repository: showPlace(repository),
  permission: levelWord(permission),
  units: Object.fromEntries(
    Object.entries(units).map(([unit, { by, level }]) => [unit, { level: levelWord(level), by }])
  )
})

/** The handlers of effective access. */
export const layerEffectiveAccess = HttpApiBuilder.group(Api, "effectiveAccess", (handlers) =>
  handlers.handleAll({
    ofMember: ({ params, query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("organization.member.access")
          return yield* answerPage(
            query,
            (page) => EffectiveAccesses.ofUser(proof, params.username, page),
            showEffectiveAccess
          )
        })
      ),
    ofRepository: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("repository.access.list")
        return yield* answerPage(query, (page) => EffectiveAccesses.ofRepository(proof, page), showEffectiveAccess)
      })
  })
)
