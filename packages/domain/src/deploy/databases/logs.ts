import { Effect } from "effect"
import type { Authorized } from "../access/authorize.ts"
import { EngineUnreachable } from "../engine/EngineError.ts"
import { type ApplicationLine, chosenContainers, lastLines, readLast } from "../logs/containerLines.ts"
import { comparePositions, dawn } from "../logs/LinePosition.ts"
import { ServerStore } from "../servers/ServerStore.ts"
import { inTime, openEngine } from "../servers/validate.ts"
import { ownerOf } from "./Database.ts"

/** Reads the last lines that a database wrote, oldest first: those of what was asked for last, as far as it came to a container. */
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
      const last = yield* Effect.catchTag(readLast(engine, container, dawn, most), "ContainerNotFound", () =>
        Effect.succeed({ lines: [] as ReadonlyArray<ApplicationLine> })
      )
      lines = lastLines([...lines, ...last.lines].sort(comparePositions), most)
    }
    return lines
  })
  return yield* read.pipe(Effect.scoped, inTime(server))
})
