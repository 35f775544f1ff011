import type { Authorized } from "@slipway/domain/deploy/entry"
import type { Server } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { openEngine } from "./validate.ts"

const soon = "3 seconds"

/** Returns the disk usage of a server's container engine; null if the engine does not respond in time. */
export const diskUse = (_: Authorized<"server.read">, server: Server) =>
  Effect.flatMap(openEngine(server), (engine) => engine.diskUse).pipe(
    Effect.scoped,
    Effect.timeout(soon),
    Effect.catch(() => Effect.succeed(null))
  )
