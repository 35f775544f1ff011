import type { Duplicate, InUse } from "@slipway/domain"
import { hasEnded, ReleaseStore, type ServingState } from "@slipway/domain/deploy/apps"
import { Effect, Layer, Result } from "effect"
import { Tables } from "../base/tables.ts"

const shown = ({ id: _, ...row }: ServingState & { readonly id: number }): ServingState => row

/** Changes the known problems of a serving deployment. */
const change = (
  { database, serving }: Pick<Tables["Service"], "database" | "serving">,
  { applicationUuid, deploymentUuid }: Pick<ServingState, "applicationUuid" | "deploymentUuid">,
  problems: Partial<Pick<ServingState, "degraded" | "unhealthy">>
) =>
  database
    .write((snapshot): Result.Result<void, Duplicate | InUse> => {
      const present = serving.find(snapshot, applicationUuid)
      return present?.deploymentUuid === deploymentUuid
        ? Result.map(serving.replace(snapshot, { ...present, ...problems }), () => undefined)
        : Result.void
    })
    .pipe(Effect.orDie)

/** Stores releases in memory. */
export const releaseStore = Layer.effect(
  ReleaseStore,
  Effect.map(
    Tables,
    ({ application, database, deployment, deploymentsOfApplication, release, releasesOfApplication, serving }) => ({
      insert: (row) =>
        database
          .write((snapshot) => {
            const present = release.find(snapshot, row.deploymentUuid, 1)
            if (present !== undefined) return Result.succeed(present)
            if (!application.has(snapshot, row.applicationUuid)) return Result.succeed(undefined)
            return release.insert(snapshot, row)
          })
          .pipe(Effect.orDie),
      find: (uuid) => database.read((snapshot) => release.find(snapshot, uuid)),
      ofDeployment: (uuid) => database.read((snapshot) => release.find(snapshot, uuid, 1)),
      keptOf: (uuids) =>
        database.read((snapshot) => new Set(uuids.filter((uuid) => release.find(snapshot, uuid, 1) !== undefined))),
      ofApplication: (uuid, limit) =>
        database.read((snapshot) => releasesOfApplication.list(snapshot, uuid, { limit })),
      serving: (uuid) =>
        database.read((snapshot) => {
          const row = serving.find(snapshot, uuid)
          return row === undefined ? undefined : shown(row)
        }),
      servingOn: (server) =>
        database.read((snapshot) =>
          application
            .list(snapshot, { limit: Number.POSITIVE_INFINITY })
            .flatMap(({ uuid }) => serving.find(snapshot, uuid) ?? [])
            .filter(({ serverUuid }) => serverUuid === server)
            .map(shown)
        ),
      servingOf: (uuids) =>
        database.read((snapshot) => uuids.flatMap((uuid) => serving.find(snapshot, uuid) ?? []).map(shown)),
      prune: (uuid, keptReleases) =>
        database
          .write((snapshot): Result.Result<void, Duplicate | InUse> => {
            const open = deploymentsOfApplication.list(snapshot, uuid).filter(({ status }) => !hasEnded(status))
            const used = [serving.find(snapshot, uuid), ...open].map((user) => user?.releaseUuid)
            const all = releasesOfApplication.list(snapshot, uuid)
            const good = all.filter(({ deploymentUuid }) => {
              const status = deployment.find(snapshot, deploymentUuid)?.status
              return status !== "failed" && status !== "cancelled"
            })
            const newest = new Set(good.slice(0, keptReleases))
            for (const old of all) {
              if (newest.has(old) || used.includes(old.uuid)) continue
              const removed = release.remove(snapshot, old.id)
              if (Result.isFailure(removed)) return Result.fail(removed.failure)
            }
            return Result.void
          })
          .pipe(Effect.orDie),
      serve: (uuid, next) =>
        database
          .write((snapshot): Result.Result<void, Duplicate | InUse> => {
            const present = serving.find(snapshot, uuid)
            if (present !== undefined) {
              const removed = serving.remove(snapshot, present.id)
              if (Result.isFailure(removed)) return Result.fail(removed.failure)
            }
            return next === null || !application.has(snapshot, uuid)
              ? Result.void
              : Result.map(serving.insert(snapshot, { ...next, degraded: null, unhealthy: null }), () => undefined)
          })
          .pipe(Effect.orDie),
      degrade: (of, degraded) => change({ database, serving }, of, { degraded }),
      setUnhealthy: (of, unhealthy) => change({ database, serving }, of, { unhealthy })
    })
  )
)
