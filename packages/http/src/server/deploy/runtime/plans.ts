import { Manifests } from "@slipway/deploy/runtime"
import { describeChange } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { PlansApi } from "../../../api/deploy/runtime/plans.ts"
import { toHttpErrors } from "../base/errors.ts"
import { isSet } from "../base/flags.ts"
import { granted } from "../base/guard.ts"

class Api extends HttpApi.make("deploy").add(PlansApi).prefix("/api/v1") {}

const show = ({ changes, problems }: Manifests.LocatedPlan) => ({ changes: changes.map(describeChange), problems })

/** The handlers of plans. */
export const layerPlans = HttpApiBuilder.group(Api, "plans", (handlers) =>
  handlers.handleAll({
    get: ({ query: { prune, ref } }) =>
      toHttpErrors(
        Effect.gen(function* () {
          return show(yield* Manifests.plan(yield* granted("application.plan"), ref, isSet(prune)))
        })
      ),
    apply: ({ payload: { prune = false, ref } }) =>
      toHttpErrors(
        Effect.gen(function* () {
          return show(yield* Manifests.apply(yield* granted("application.apply"), ref, prune))
        })
      )
  })
)
