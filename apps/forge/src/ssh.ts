import { LfsTickets } from "@slipway/forge/code"
import { hostKey, serveSsh } from "@slipway/ssh/forge"
import { Effect, Layer } from "effect"
import type { Settings } from "./config.ts"

/** Serves git over SSH while the service runs; returns the address after it is known. */
export const layerSsh = (
  ssh: NonNullable<Settings["ssh"]>,
  rootUrl: string,
  onListening: (port: number) => Effect.Effect<unknown>
) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const services = yield* Effect.context<Effect.Services<ReturnType<typeof LfsTickets.give>>>()
      const port = yield* serveSsh({
        ...ssh,
        hostKey: yield* hostKey(ssh.hostKey),
        lfs: (key, { operation, path }) =>
          Effect.provideContext(LfsTickets.give(key, operation, path, rootUrl), services)
      })
      yield* onListening(port)
    })
  )
