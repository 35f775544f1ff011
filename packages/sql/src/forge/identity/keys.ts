import { Duplicate } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  type KeyHolder,
  keyLine,
  keyOfLine,
  type SshKey,
  type SshKeyId,
  SshKeyStore,
  type UserId
} from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup } from "../../collection/collection.ts"
import { boolean, type Column, integer, nullable, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { byId, countedPage } from "../base/pages.ts"
import { type Reader, reader } from "../base/rows.ts"
import { idParameter } from "./units.ts"

const userId: Column<UserId | null> = nullable(integer<UserId>("user_id"))
const repositoryId: Column<RepositoryId | null> = nullable(integer<RepositoryId>("repository_id"))

interface KeyRow extends Omit<SshKey, "holder" | "publicKey" | "comment"> {
  /** The key, followed by its comment. */
  readonly line: string
  readonly userId: UserId | null
  readonly repositoryId: RepositoryId | null
  readonly readOnly: boolean
}

const rows = reader<KeyRow>({
  id: integer<SshKeyId>("id"),
  title: text("title"),
  line: text("public_key"),
  fingerprint: text("fingerprint"),
  createdAt: time("created_at"),
  usedAt: nullable(time("used_at")),
  userId,
  repositoryId,
  readOnly: boolean("read_only")
})

const keyOf = ({ line, readOnly, repositoryId, userId, ...key }: KeyRow): SshKey => ({
  ...key,
  ...keyOfLine(line),
  holder:
    repositoryId === null ? { kind: "user", userId: userId as UserId } : { kind: "repository", repositoryId, readOnly }
})

const keys: Reader<SshKey> = {
  ...rows,
  read: (values, place) => {
    const row = rows.read(values, place)
    return row && keyOf(row)
  }
}

const holderParameters = (holder: KeyHolder): readonly [unknown, unknown, boolean] =>
  holder.kind === "user"
    ? [idParameter(holder.userId), null, false]
    : [null, idParameter(holder.repositoryId), holder.readOnly]

/** Stores SSH keys in PostgreSQL. */
export const layerSshKeys = Layer.effect(
  SshKeyStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(keys.of("ssh_key"))
    const one = (where: Fragment) =>
      orDieSql(
        Effect.map(sql`SELECT ${all} FROM ssh_key WHERE ${where}`.values, ([values]) =>
          values === undefined ? undefined : keys.read(values)
        )
      )
    const source = (where: Fragment) => ({ table: "ssh_key", from: sql`ssh_key seen`, where, order: byId })
    return {
      insert: (key) => {
        const [user, repository, readOnly] = holderParameters(key.holder)
        return orDieSql(
          sql`
          INSERT INTO ssh_key (user_id, repository_id, read_only, title, public_key, fingerprint, created_at)
          VALUES (${user}, ${repository}, ${boolean("").write?.(readOnly)}, ${key.title}, ${keyLine(key)},
            ${key.fingerprint}, ${time("").write?.(key.createdAt)})
          ON CONFLICT ON CONSTRAINT ssh_key_once DO NOTHING
          RETURNING ${all}`.values
        ).pipe(
          Effect.flatMap(([values]) => {
            const inserted = values === undefined ? undefined : keys.read(values)
            return inserted === undefined
              ? Effect.fail(new Duplicate({ of: "sshKey.fingerprint" }))
              : Effect.succeed(inserted)
          })
        )
      },
      find: (id) => one(sql`id = ${idParameter(id)}`),
      byFingerprint: (fingerprint) => one(sql`fingerprint = ${lookup(fingerprint)}`),
      ofUser: (user, page) => countedPage(sql, keys, source(sql`seen.user_id = ${idParameter(user)}`), page),
      ofRepository: (repository, page) =>
        countedPage(sql, keys, source(sql`seen.repository_id = ${idParameter(repository)}`), page),
      ofUsers: (users, most) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT ${sql.literal(keys.of("seen"))}
              FROM unnest(${[...new Set(users)].map(String)}::text[]::bigint[]) asked (id),
                LATERAL (SELECT * FROM ssh_key WHERE user_id = asked.id ORDER BY id LIMIT ${most}::int) seen
              ORDER BY seen.id`.values,
            (rows) => {
              const found = new Map<UserId, Array<SshKey>>()
              for (const values of rows) {
                const key = keys.read(values)
                if (key?.holder.kind !== "user") continue
                const { userId } = key.holder
                found.set(userId, [...(found.get(userId) ?? []), key])
              }
              return found
            }
          )
        ),
      remove: (id) =>
        orDieSql(
          Effect.map(
            sql`DELETE FROM ssh_key WHERE id = ${idParameter(id)} RETURNING id`.values,
            (removed) => removed.length > 0
          )
        ),
      touch: (id, at) =>
        Effect.asVoid(orDieSql(sql`UPDATE ssh_key SET used_at = ${time("").write?.(at)} WHERE id = ${idParameter(id)}`))
    }
  })
)
