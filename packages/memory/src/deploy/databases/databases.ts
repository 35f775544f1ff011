import { type Database, DatabaseStore, type DatabaseUuid } from "@slipway/domain/deploy/databases"
import { placeOfPlacement } from "@slipway/domain/deploy/entry"
import { Effect, Layer, Result } from "effect"
import { collection } from "../../collection.ts"
import { Tables } from "../base/tables.ts"
import { visibleCollection } from "../base/visible.ts"
import { withPlacement } from "../base/withPlacement.ts"

const all = { limit: Number.POSITIVE_INFINITY }

/** Stores databases in memory. */
export const databaseStore = Layer.effect(
  DatabaseStore,
  Effect.map(Tables, (tables) => {
    const { database, databases, server } = tables
    const present = withPlacement(tables)
    /** Changes a database that meets a condition; returns whether it did. */
    const change = (uuid: DatabaseUuid, isMeant: (row: Database) => boolean, facts: Partial<Database>) =>
      database
        .write((snapshot) => {
          const row = databases.find(snapshot, uuid)
          if (row === undefined || !isMeant(row)) return Result.succeed(false)
          return Result.map(databases.replace(snapshot, { ...row, ...facts }), () => true)
        })
        .pipe(Effect.orDie)
    return {
      ...visibleCollection(
        database,
        databases,
        collection(database, databases, present),
        (snapshot, row) => placeOfPlacement(present(snapshot, row).placement, row.uuid),
        present
      ),
      publishing: (uuid, port) =>
        database.read((snapshot) => {
          const row = databases
            .list(snapshot, all)
            .find(
              ({ isPublic, placement, publicPort }) => isPublic && publicPort === port && placement.serverUuid === uuid
            )
          return row === undefined ? undefined : present(snapshot, row)
        }),
      declaredIn: ({ forgeAppUuid, name, owner }) =>
        database.read((snapshot) =>
          databases
            .list(snapshot, all)
            .filter(({ declaredBy }) => {
              const link = declaredBy?.forgeLink
              return link?.forgeAppUuid === forgeAppUuid && link.owner === owner && link.name === name
            })
            .map((row) => present(snapshot, row))
        ),
      placedOn: (uuid) =>
        database.read((snapshot) =>
          databases
            .list(snapshot, all)
            .filter(({ placement }) => placement.serverUuid === uuid)
            .map((row) => present(snapshot, row))
        ),
      servingOn: (uuid) =>
        database.read((snapshot) =>
          databases
            .list(snapshot, all)
            .filter(({ placement, servingUuid }) => servingUuid !== null && placement.serverUuid === uuid)
            .map((row) => present(snapshot, row))
        ),
      expiringBefore: (at) =>
        database.read((snapshot) =>
          databases
            .list(snapshot, all)
            .filter((row) => row.servingUuid !== null && (row.certificateExpiresAt ?? at) < at)
            .slice(0, 100)
            .map((row) => present(snapshot, row))
        ),
      claim: ({ at, until, worker }) =>
        database
          .write((snapshot) => {
            const rows = databases.list(snapshot, all)
            const starting = (uuid: string) =>
              rows.filter(
                ({ action, placement, state }) =>
                  state === "working" && action !== "stop" && placement.serverUuid === uuid
              ).length
            const due = rows.find(({ action, leaseUntil, placement, state }) => {
              if (leaseUntil !== null && leaseUntil > at) return false
              if (state !== "queued" || action === "stop") return state === "queued" || state === "working"
              const most = server.find(snapshot, placement.serverUuid)?.concurrentBuilds ?? 1
              return starting(placement.serverUuid) < most
            })
            if (due === undefined) return Result.succeed(undefined)
            const taken = { ...due, state: "working" as const, claimedBy: worker, leaseUntil: until }
            return Result.map(databases.replace(snapshot, taken), () => present(snapshot, taken))
          })
          .pipe(Effect.orDie),
      renew: ({ run, uuid, worker }, leaseUntil) =>
        change(uuid, (row) => row.claimedBy === worker && row.runUuid === run, { leaseUntil }),
      save: ({ run, uuid, worker }, facts) =>
        change(uuid, (row) => row.claimedBy === worker && row.runUuid === run, {
          ...facts,
          ...(facts.state === "done" ? { unhealthy: null } : {})
        }),
      setUnhealthy: (uuid, run, unhealthy) =>
        Effect.asVoid(change(uuid, (row) => row.servingUuid === run, { unhealthy })),
      giveBack: (uuid, worker) =>
        Effect.asVoid(change(uuid, (row) => row.claimedBy === worker, { claimedBy: null, leaseUntil: null })),
      endLeases: database
        .write((snapshot): Result.Result<void, never> => {
          for (const row of databases.list(snapshot, all)) {
            if (row.leaseUntil !== null) databases.replace(snapshot, { ...row, leaseUntil: null })
          }
          return Result.void
        })
        .pipe(Effect.orDie)
    }
  })
)
