import { Terminals } from "@slipway/deploy/runtime"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { TerminalsApi } from "../../../api/deploy/runtime/terminals.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"

class Api extends HttpApi.make("deploy").add(TerminalsApi).prefix("/api/v1") {}

const read = Effect.fnUntraced(function* (proof: Terminals.TerminalProof) {
  const { isEnabled, running } = yield* Terminals.read(proof)
  return {
    is_enabled: isEnabled,
    containers: running.map(({ name, owner }) => ({ name, service: owner.service }))
  }
})

/** The handlers of terminals. */
export const layerTerminals = HttpApiBuilder.group(Api, "terminals", (handlers) =>
  handlers.handleAll({
    application: () => toHttpErrors(Effect.flatMap(granted("application.terminal"), read)),
    database: () => toHttpErrors(Effect.flatMap(granted("database.terminal"), read)),
    service: () => toHttpErrors(Effect.flatMap(granted("service.terminal"), read))
  })
)
