import type { Duplicate, InUse } from "@slipway/domain"
import {
  DeploymentLogStore,
  hasEnded,
  mostLines,
  ReleaseStore,
  type ServingRelease,
  VariableStore
} from "@slipway/domain/deploy"
import { Effect, Layer, Result } from "effect"
import { applicationRows } from "./applicationRows.ts"
import { Tables } from "./tables.ts"

const shown = ({ id: _, ...row }: ServingRelease & { readonly id: number }): ServingRelease => row

/** Releases in memory. */
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
      prune: (uuid, kept) =>
        database
          .write((snapshot): Result.Result<void, Duplicate | InUse> => {
            const open = deploymentsOfApplication.list(snapshot, uuid).filter(({ status }) => !hasEnded(status))
            const used = [serving.find(snapshot, uuid), ...open].map((user) => user?.releaseUuid)
            const all = releasesOfApplication.list(snapshot, uuid)
            const good = all.filter(({ deploymentUuid }) => {
              const status = deployment.find(snapshot, deploymentUuid)?.status
              return status !== "failed" && status !== "cancelled"
            })
            const newest = new Set(good.slice(0, kept))
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
              : Result.map(serving.insert(snapshot, next), () => undefined)
          })
          .pipe(Effect.orDie)
    })
  )
)

/** Variables in memory. */
export const variableStore = Layer.effect(
  VariableStore,
  Effect.map(Tables, ({ application, database, variable, variablesOfApplication }) => ({
    ...applicationRows({ application, database }, variable, variablesOfApplication),
    replaceMany: (rows) =>
      Effect.asVoid(
        Effect.orDie(database.write((snapshot) => Result.all(rows.map((row) => variable.replace(snapshot, row)))))
      )
  }))
)

/** Logs of deployments in memory. */
export const deploymentLogStore = Layer.effect(
  DeploymentLogStore,
  Effect.map(Tables, ({ database, deployment: deployments, deploymentsOfApplication, line, linesOfDeployment }) => ({
    append: (deployment, lines) =>
      database
        .write((snapshot) => {
          if (linesOfDeployment.list(snapshot, deployment).length >= mostLines) return Result.void
          for (const each of lines) {
            const inserted = line.insert(snapshot, { ...each, deployment })
            if (Result.isFailure(inserted)) return Result.fail(inserted.failure)
          }
          return Result.void
        })
        .pipe(Effect.orDie),
    prune: (application, kept) =>
      database
        .write((snapshot): Result.Result<void, Duplicate | InUse> => {
          for (const { uuid } of deploymentsOfApplication.list(snapshot, application).slice(kept)) {
            for (const { id } of linesOfDeployment.list(snapshot, uuid)) {
              const removed = line.remove(snapshot, id)
              if (Result.isFailure(removed)) return Result.fail(removed.failure)
            }
          }
          return Result.void
        })
        .pipe(Effect.orDie),
    page: (deployment, after, limit) =>
      database.read((snapshot) =>
        linesOfDeployment.list(snapshot, deployment, { after, limit }).map(({ deployment: _, ...each }) => each)
      ),
    tails: (uuids, limit) =>
      database.read(
        (snapshot) =>
          new Map(
            uuids.map((uuid) => [
              uuid,
              linesOfDeployment
                .list(snapshot, uuid)
                .slice(-limit)
                .map(({ deployment: _, ...each }) => each)
            ])
          )
      ),
    look: (uuid, after, limit) =>
      database.read((snapshot) => {
        const present = deployments.find(snapshot, uuid)
        if (present === undefined) return undefined
        const lines = linesOfDeployment.list(snapshot, uuid, { after, limit })
        const { reason, status } = present
        return { status, reason, lines: lines.map(({ deployment: _, ...each }) => each) }
      })
  }))
)
