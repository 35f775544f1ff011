import { HealthChecks } from "@slipway/deploy/runtime"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { HealthChecksApi } from "../../../api/deploy/runtime/health-checks.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"

class Api extends HttpApi.make("deploy").add(HealthChecksApi).prefix("/api/v1") {}

const show = ({ because, containers }: HealthChecks.CheckResult) => ({
  is_healthy: because === null && containers.length > 0 && containers.every((each) => each.because === null),
  reason: because,
  containers: containers.map((each) => ({
    container: each.container,
    service: each.service,
    is_healthy: each.because === null,
    reason: each.because,
    status: each.status,
    output: each.output,
    milliseconds: each.milliseconds
  }))
})

/** The handlers of health checks. */
export const layerHealthChecks = HttpApiBuilder.group(Api, "healthChecks", (handlers) =>
  handlers.handleAll({
    run: () =>
      toHttpErrors(
        Effect.gen(function* () {
          return show(yield* HealthChecks.run(yield* granted("application.health.check")))
        })
      )
  })
)
