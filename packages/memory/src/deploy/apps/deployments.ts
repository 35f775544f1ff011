import {
  approvalExpired,
  awaitsApproval,
  type Deployment,
  type DeploymentSelection,
  DeploymentStore,
  hasEnded,
  isActive,
  isSelected
} from "@slipway/domain/deploy/apps"
import { sees, type Visible } from "@slipway/domain/deploy/identity"
import { Effect, Layer, Result } from "effect"
import { collection } from "../../collection.ts"
import type { Snapshot } from "../../Database.ts"
import { cleanedSince, oldRows } from "../base/old.ts"
import { Tables } from "../base/tables.ts"
import { placeOfDeployment, visibleCollection } from "../base/visible.ts"

/** Returns whether a finished deployment can be deleted: no release, rollback or container still needs it. */
const isForgettable = (tables: Tables["Service"], snapshot: Snapshot, row: Deployment): boolean => {
  const { application, deploymentsOfApplication, release, serving } = tables
  const isClean = cleanedSince(tables, snapshot, row.serverUuid, row.finishedAt ?? row.updatedAt)
  if (row.startedAt !== null && !isClean) return false
  if (!application.has(snapshot, row.applicationUuid)) return true
  const newer = deploymentsOfApplication.list(snapshot, row.applicationUuid).filter(({ id }) => id > row.id)
  if (newer.length === 0) return false
  if (serving.find(snapshot, row.applicationUuid)?.deploymentUuid === row.uuid) return false
  if (release.find(snapshot, row.uuid, 1) !== undefined) return false
  if (row.action === "rollback" && row.releaseUuid !== null && release.has(snapshot, row.releaseUuid)) return false
  // A restart runs the release of an earlier finished deployment.
  const isFollowed = ({ action, status }: Deployment) =>
    status === "finished" && (action !== "restart" || row.action === "restart")
  return row.status !== "finished" || newer.some(isFollowed)
}

/** Stores deployments in memory. */
export const deploymentStore = Layer.effect(
  DeploymentStore,
  Effect.map(Tables, (tables) => {
    const { database, deployment, deploymentsOfApplication, server } = tables
    const placeOf = placeOfDeployment(tables)
    const selectedIn = (snapshot: Snapshot, selection: DeploymentSelection, visible: Visible) => {
      const isSeen = sees(visible)
      return deployment
        .list(snapshot, { limit: Number.POSITIVE_INFINITY })
        .filter((row) => isSelected(selection, row.status) && isSeen(placeOf(snapshot, row)))
        .toReversed()
    }
    return {
      ...visibleCollection(database, deployment, collection(database, deployment), placeOf),
      selected: (selection, visible, { after = 0, limit, skip = 0 }) =>
        database.read((snapshot) =>
          selectedIn(snapshot, selection, visible)
            .filter(({ id }) => after === 0 || id < after)
            .slice(skip, skip + limit)
        ),
      countSelected: (selection, visible) =>
        database.read((snapshot) => selectedIn(snapshot, selection, visible).length),
      ofApplication: (application, { after, ...window }) =>
        database.read((snapshot) =>
          deploymentsOfApplication.list(snapshot, application, {
            ...window,
            after: after === undefined ? undefined : -after
          })
        ),
      countOf: (uuid) => database.read((snapshot) => deploymentsOfApplication.list(snapshot, uuid).length),
      cancelAll: (application, at) =>
        database.write((snapshot) => {
          for (const row of deploymentsOfApplication.list(snapshot, application)) {
            if (hasEnded(row.status)) continue
            if (row.status !== "queued") {
              deployment.replace(snapshot, { ...row, cancelRequested: true, updatedAt: at })
              continue
            }
            const over = { status: "cancelled", reason: "the application was deleted", finishedAt: at } as const
            deployment.replace(snapshot, { ...row, ...over, updatedAt: at })
          }
          return Result.void
        }),
      claim: ({ at, until, worker }) =>
        database
          .write((snapshot) => {
            const all = deployment
              .list(snapshot, { limit: Number.POSITIVE_INFINITY })
              .filter((row) => !hasEnded(row.status))
            for (const row of all) {
              if (!awaitsApproval(row) || (row.approvalUntil ?? at) > at) continue
              const over = { status: "cancelled", reason: approvalExpired, finishedAt: at, updatedAt: at } as const
              const replaced = deployment.replace(snapshot, { ...row, ...over })
              if (Result.isFailure(replaced)) return Result.fail(replaced.failure)
            }
            const open = all.filter((row) => !awaitsApproval(row))
            const newest = new Map(
              open.filter((row) => row.status === "queued").map((row) => [row.applicationUuid, row.id] as const)
            )
            for (const row of all) {
              const isExpired = awaitsApproval(row) && (row.approvalUntil ?? at) <= at
              if (row.status !== "queued" || isExpired || row.id >= (newest.get(row.applicationUuid) ?? 0)) continue
              const over = { status: "cancelled", reason: "superseded", finishedAt: at, updatedAt: at } as const
              const replaced = deployment.replace(snapshot, { ...row, ...over })
              if (Result.isFailure(replaced)) return Result.fail(replaced.failure)
            }
            const active = open.filter((row) => isActive(row.status))
            const due = open.find((row) => {
              if (row.leaseUntil !== null && row.leaseUntil > at) return false
              if (row.status !== "queued") return true
              return (
                row.id === newest.get(row.applicationUuid) &&
                !active.some((other) => other.applicationUuid === row.applicationUuid) &&
                active.filter((other) => other.serverUuid === row.serverUuid).length <
                  (server.find(snapshot, row.serverUuid)?.concurrentBuilds ?? 1)
              )
            })
            if (due === undefined) return Result.succeed(undefined)
            const taken = {
              ...due,
              status: due.status === "queued" ? ("preparing" as const) : due.status,
              startedAt: due.startedAt ?? at,
              updatedAt: at,
              claimedBy: worker,
              leaseUntil: until
            }
            return Result.map(deployment.replace(snapshot, taken), () => taken)
          })
          .pipe(Effect.orDie),
      awaitingApproval: (application) =>
        database.read((snapshot) => deploymentsOfApplication.list(snapshot, application).find(awaitsApproval)),
      expiredApprovals: (at) =>
        database.read((snapshot) =>
          deployment
            .list(snapshot, { limit: Number.POSITIVE_INFINITY })
            .filter((row) => awaitsApproval(row) && (row.approvalUntil ?? at) <= at)
        ),
      renew: (uuid, { until, worker }) =>
        database
          .write((snapshot) => {
            const present = deployment.find(snapshot, uuid)
            if (present === undefined || present.claimedBy !== worker) return Result.succeed(undefined)
            const renewed = { ...present, leaseUntil: until }
            return Result.map(deployment.replace(snapshot, renewed), () => renewed)
          })
          .pipe(Effect.orDie),
      giveBack: (uuid, worker) =>
        database
          .write((snapshot) => {
            const present = deployment.find(snapshot, uuid)
            if (present?.claimedBy !== worker) return Result.succeed(false)
            return deployment.replace(snapshot, { ...present, leaseUntil: null })
          })
          .pipe(Effect.orDie, Effect.asVoid),
      endLeases: database
        .write((snapshot) => {
          for (const row of deployment.list(snapshot, { limit: Number.POSITIVE_INFINITY })) {
            if (!hasEnded(row.status)) deployment.replace(snapshot, { ...row, leaseUntil: null })
          }
          return Result.void
        })
        .pipe(Effect.orDie),
      save: (row, worker) =>
        database
          .write((snapshot) => {
            const present = deployment.find(snapshot, row.uuid)
            if (present === undefined || present.claimedBy !== worker) return Result.succeed(false)
            const { cancelRequested, claimedBy, leaseUntil } = present
            return deployment.replace(snapshot, { ...row, cancelRequested, claimedBy, leaseUntil })
          })
          .pipe(Effect.orDie),
      hold: (uuid, reason, { at, until, worker }) =>
        database
          .write((snapshot) => {
            const present = deployment.find(snapshot, uuid)
            if (present === undefined || present.claimedBy !== worker || present.cancelRequested) {
              return Result.succeed(false)
            }
            if (present.status !== "preparing" && present.status !== "building") return Result.succeed(false)
            const held = { status: "queued", reason, claimedBy: null, leaseUntil: until, startedAt: null } as const
            return deployment.replace(snapshot, { ...present, ...held, updatedAt: at })
          })
          .pipe(Effect.orDie),
      waitingFor: (server, besides) =>
        database.read((snapshot) => {
          const waiting = deployment
            .list(snapshot, { limit: Number.POSITIVE_INFINITY })
            .filter(
              (row) =>
                row.serverUuid === server &&
                row.status === "queued" &&
                !awaitsApproval(row) &&
                !besides.includes(row.applicationUuid)
            )
          return new Set(waiting.map(({ applicationUuid }) => applicationUuid)).size
        }),
      activeOn: (servers) =>
        database.read((snapshot) =>
          deployment
            .list(snapshot, { limit: Number.POSITIVE_INFINITY })
            .filter((row) => servers.includes(row.serverUuid) && isActive(row.status))
        ),
      statusesOf: (uuids) =>
        database.read(
          (snapshot) =>
            new Map(
              uuids.flatMap((uuid) => {
                const row = deployment.find(snapshot, uuid)
                return row === undefined ? [] : [[uuid, row.status] as const]
              })
            )
        ),
      cameToNothing: (uuid, since) =>
        database.read((snapshot) =>
          deployment
            .list(snapshot, { limit: Number.POSITIVE_INFINITY })
            .some(
              ({ finishedAt, serverUuid, startedAt, status }) =>
                serverUuid === uuid &&
                (status === "failed" || status === "cancelled") &&
                startedAt !== null &&
                finishedAt !== null &&
                finishedAt >= since
            )
        ),
      requestCancel: (uuid, at) =>
        database
          .write((snapshot) => {
            const present = deployment.find(snapshot, uuid)
            if (present === undefined || hasEnded(present.status)) return Result.succeed(false)
            const over =
              present.status === "queued" ? ({ status: "cancelled", reason: "cancelled", finishedAt: at } as const) : {}
            return deployment.replace(snapshot, { ...present, ...over, cancelRequested: true, updatedAt: at })
          })
          .pipe(Effect.orDie, Effect.asVoid),
      forget: (old) =>
        database
          .write((snapshot) => {
            const rows = oldRows(deployment, snapshot, old, ({ finishedAt, status, updatedAt }) =>
              hasEnded(status) ? (finishedAt ?? updatedAt) : null
            )
            for (const row of rows) {
              if (!isForgettable(tables, snapshot, row)) continue
              for (const { id } of tables.linesOfDeployment.list(snapshot, row.uuid)) {
                const removed = tables.line.remove(snapshot, id)
                if (Result.isFailure(removed)) return Result.fail(removed.failure)
              }
              const removed = deployment.remove(snapshot, row.id)
              if (Result.isFailure(removed)) return Result.fail(removed.failure)
            }
            return Result.succeed(rows.at(-1)?.id)
          })
          .pipe(Effect.orDie)
    }
  })
)
