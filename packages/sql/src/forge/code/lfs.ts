import { PgTypes } from "@effect/sql-pg"
import { Duplicate } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { type LfsLock, type LfsOid, LfsStore } from "@slipway/domain/forge/code"
import type { UserId } from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { integer, nullable, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { byId, countedPage } from "../base/pages.ts"
import { reader } from "../base/rows.ts"
import { idParameter } from "../identity/units.ts"

const lockRows = reader<LfsLock>({
  id: integer("id"),
  repositoryId: integer<RepositoryId>("repository_id"),
  path: text("path"),
  userId: nullable(integer<UserId>("user_id")),
  owner: text("owner"),
  lockedAt: time("locked_at")
})

/** Stores the LFS objects of repositories, and their locks, in PostgreSQL. */
export const layerLfs = Layer.effect(
  LfsStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(lockRows.of("lfs_lock"))
    return {
      link: ({ oid, repositoryId, size }) =>
        Effect.asVoid(
          orDieSql(sql`
            INSERT INTO lfs_object (repository_id, oid, size)
            VALUES (${idParameter(repositoryId)}, ${oid}, ${idParameter(size)})
            ON CONFLICT DO NOTHING`)
        ),
      linked: (repository, oids) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT oid, size::float8 FROM lfs_object
              WHERE repository_id = ${idParameter(repository)}
                AND oid IN (SELECT jsonb_array_elements_text(${PgTypes.jsonb(oids)}))`.values,
            (rows) => new Map(rows.map(([oid, size]) => [oid as LfsOid, size as number]))
          )
        ),
      lock: (lock) =>
        orDieSql(
          sql`
          INSERT INTO lfs_lock (repository_id, path, user_id, owner, locked_at)
          VALUES (${idParameter(lock.repositoryId)}, ${lock.path}, ${idParameter(lock.userId ?? undefined)},
            ${lock.owner}, ${time("").write?.(lock.lockedAt)})
          ON CONFLICT ON CONSTRAINT lfs_lock_once DO NOTHING
          RETURNING ${all}`.values
        ).pipe(
          Effect.flatMap(([values]) => {
            const inserted = values === undefined ? undefined : lockRows.read(values)
            return inserted === undefined
              ? Effect.fail(new Duplicate({ of: "lfsLock.path" }))
              : Effect.succeed(inserted)
          })
        ),
      findLock: (repository, which) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT ${all} FROM lfs_lock WHERE repository_id = ${idParameter(repository)} AND
                ${"id" in which ? sql`id = ${idParameter(which.id)}` : sql`path = ${lookup(which.path)}`}`.values,
            ([values]) => (values === undefined ? undefined : lockRows.read(values))
          )
        ),
      locks: (repository, page) =>
        countedPage(
          sql,
          lockRows,
          {
            table: "lfs_lock",
            from: sql`lfs_lock seen`,
            where: sql`seen.repository_id = ${idParameter(repository)}`,
            order: byId
          },
          page
        ),
      unlock: (repository, id) =>
        orDieSql(
          Effect.map(
            sql`
              DELETE FROM lfs_lock
              WHERE repository_id = ${idParameter(repository)} AND id = ${idParameter(id)} RETURNING id`.values,
            (rows) => rows.length > 0
          )
        )
    }
  })
)
