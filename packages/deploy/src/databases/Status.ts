import type { ContainerDetails } from "@slipway/domain/deploy/containers"
import { type Database, ownerOf } from "@slipway/domain/deploy/databases"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import type { RunWord } from "../apps/applications/runWord.ts"
import { inspectAll } from "../apps/applications/Status.ts"
import { inTime } from "../infrastructure/servers/validate.ts"

/** The run state and the health of a database, in the words that clients of Coolify expect. */
export type DatabaseWord = RunWord | "starting:unknown"

type Stored = Pick<Database, "action" | "servingUuid" | "state" | "unhealthy">

const isDegraded = ({ action, servingUuid, state }: Omit<Stored, "unhealthy">): boolean =>
  action === "repair" && state === "failed" && servingUuid !== null

const isStarting = ({ action, state }: Omit<Stored, "unhealthy">): boolean =>
  action !== "stop" && (state === "queued" || state === "working")

/** Returns the state words of a database from stored data: whether it should run, and known problems. */
export const storedWordOf = (database: Stored): DatabaseWord => {
  if (isStarting(database)) return "starting:unknown"
  if (isDegraded(database)) return "degraded:unhealthy"
  if (database.servingUuid === null) return "exited:unhealthy"
  return database.unhealthy === null ? "running:unknown" : "running:unhealthy"
}

/** Returns the run state and health of a database from its containers. */
export const wordOf = (
  database: Omit<Stored, "unhealthy">,
  containers: ReadonlyArray<Pick<ContainerDetails, "health" | "owner" | "state">>
): DatabaseWord => {
  if (isStarting(database)) return "starting:unknown"
  const { servingUuid } = database
  const serving = containers.find(({ owner }) => owner.deployment === servingUuid)
  if (serving?.state === "restarting") return "degraded:unhealthy"
  if (serving?.state !== "running") return isDegraded(database) ? "degraded:unhealthy" : "exited:unhealthy"
  if (serving.health === "unhealthy") return "running:unhealthy"
  return serving.health === "healthy" ? "running:healthy" : "running:unknown"
}

const timeout = "2 seconds"

/** Reads the state of a database's containers from its server; returns the stored state if that takes too long. */
export const read = Effect.fnUntraced(function* ({ resource }: Authorized<"database.read">) {
  const { database } = resource
  const server = yield* (yield* ServerStore).find(database.placement.serverUuid)
  if (server === undefined) return storedWordOf(database)
  return yield* inTime(server)(inspectAll(server, ownerOf(database.uuid))).pipe(
    Effect.map((containers) => wordOf(database, containers)),
    Effect.timeout(timeout),
    Effect.catch(() => Effect.succeed(storedWordOf(database)))
  )
})
