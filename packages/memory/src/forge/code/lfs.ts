import { type LfsLock, type LfsOid, LfsStore } from "@slipway/domain/forge/code"
import { Effect, Layer, Result } from "effect"
import { byId, cut } from "../base/pages.ts"
import { pairKey, Tables } from "../base/tables.ts"

/** Stores the LFS objects of repositories, and their locks, in memory. */
export const lfsStore = Layer.effect(
  LfsStore,
  Effect.map(Tables, ({ database, lfsLock, lfsLocksOf, lfsObject }) => ({
    link: (object) =>
      database
        .write((snapshot) =>
          lfsObject.find(snapshot, pairKey(object.repositoryId, object.oid)) === undefined
            ? Result.map(lfsObject.insert(snapshot, object), () => undefined)
            : Result.succeed(undefined)
        )
        .pipe(Effect.orDie),
    linked: (repository, oids) =>
      database.read((snapshot) => {
        const found = new Map<LfsOid, number>()
        for (const oid of oids) {
          const row = lfsObject.find(snapshot, pairKey(repository, oid))
          if (row !== undefined) found.set(oid, row.size)
        }
        return found
      }),
    lock: (row) => database.write((snapshot) => lfsLock.insert(snapshot, row)),
    findLock: (repository, which) =>
      database.read((snapshot) => {
        const row: LfsLock | undefined =
          "id" in which ? lfsLock.get(snapshot, which.id) : lfsLock.find(snapshot, pairKey(repository, which.path))
        return row?.repositoryId === repository ? row : undefined
      }),
    locks: (repository, page) =>
      database.read((snapshot) => cut(lfsLocksOf.list(snapshot, String(repository)), page, byId)),
    unlock: (repository, id) =>
      database
        .write((snapshot) =>
          lfsLock.get(snapshot, id)?.repositoryId === repository ? lfsLock.remove(snapshot, id) : Result.succeed(false)
        )
        .pipe(Effect.orDie)
  }))
)
