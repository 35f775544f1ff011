import { type ContainerRef, containerName, type Engine } from "@slipway/domain/deploy/containers"
import { type BackupRun, type Database, type DatabaseKind, ownerOf, pathOf } from "@slipway/domain/deploy/databases"
import { Effect } from "effect"

/** Returns the container that runs a database; null while the database is stopped. */
export const servingContainer = ({ servingUuid, uuid }: Database): ContainerRef | null => {
  const application = ownerOf(uuid)
  return servingUuid === null
    ? null
    : { application, name: containerName({ application, deployment: servingUuid, service: null }) }
}

/** Removes the files of backups from their volume, if they exist. Returns whether the removal succeeded. */
export const removeFiles = Effect.fnUntraced(function* (
  engine: Engine,
  ref: ContainerRef,
  kind: DatabaseKind,
  runs: ReadonlyArray<BackupRun>
) {
  if (runs.length === 0) return true
  const { exitCode } = yield* engine.exec(ref, { argv: ["rm", "-f", ...runs.map((run) => pathOf(kind, run))] })
  return exitCode === 0
})
