import type { Duplicate, InUse } from "@slipway/domain"
import { DeploymentLogStore, mostLines } from "@slipway/domain/deploy/runtime"
import { Effect, Layer, Result } from "effect"
import { Tables } from "../base/tables.ts"

/** Stores the logs of deployments in memory. */
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
    prune: (application, keptDeployments) =>
      database
        .write((snapshot): Result.Result<void, Duplicate | InUse> => {
          for (const { uuid } of deploymentsOfApplication.list(snapshot, application).slice(keptDeployments)) {
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
    tails: (uuids, { characters, lines }) =>
      database.read(
        (snapshot) =>
          new Map(
            uuids.map((uuid) => {
              const newest = linesOfDeployment.list(snapshot, uuid).slice(-lines)
              let left = characters
              const first = newest.findLastIndex(({ text }) => {
                left -= text.length
                return left < 0
              })
              return [uuid, newest.slice(first + 1).map(({ deployment: _, ...each }) => each)]
            })
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
