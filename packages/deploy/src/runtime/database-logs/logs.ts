import { comparePositions, EngineUnreachable, startPosition } from "@slipway/domain/deploy/containers"
import { ownerOf } from "@slipway/domain/deploy/databases"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import { type ApplicationLine, chosenContainers, lastLines, readLast } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import { inTime, openEngine } from "../../infrastructure/servers/validate.ts"

/** Reads the last log lines of a database, oldest first, from the container of the newest run that has one. */
export const readLogs = Effect.fnUntraced(function* ({ resource }: Authorized<"database.logs">, most: number) {
  const { placement, runUuid, servingUuid, uuid } = resource.database
  const server = yield* (yield* ServerStore).find(placement.serverUuid)
  if (server === undefined) return yield* new EngineUnreachable({ because: "the server was deleted" })
  const read = Effect.gen(function* () {
    const engine = yield* openEngine(server)
    const all = yield* engine.list({ application: ownerOf(uuid) })
    const run = [runUuid, servingUuid].find((each) => all.some(({ owner }) => owner.deployment === each))
    const chosen = chosenContainers(all, run == null ? undefined : { deploymentUuid: run }, {
      container: null,
      service: null
    })
    let lines: ReadonlyArray<ApplicationLine> = []
    for (const container of chosen) {
      const last = yield* Effect.catchTag(readLast(engine, container, startPosition, most), "ContainerNotFound", () =>
        Effect.succeed({ lines: [] as ReadonlyArray<ApplicationLine> })
      )
      lines = lastLines([...lines, ...last.lines].sort(comparePositions), most)
    }
    return lines
  })
  return yield* read.pipe(Effect.scoped, inTime(server))
})
