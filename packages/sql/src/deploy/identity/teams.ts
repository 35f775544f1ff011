import { InUse } from "@slipway/domain"
import {
  type AuditOutcome,
  type AuditRecord,
  AuditStore,
  type Team,
  TeamId,
  TeamStore
} from "@slipway/domain/deploy/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup, makeCollection } from "../../collection/collection.ts"
import { moment } from "../../collection/columns.ts"
import { kindOf } from "../../collection/table.ts"
import { timeText } from "../../collection/timeText.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { accounts } from "./accounts.ts"

interface TeamRow {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly token_days: string | null
  readonly created_at: Date
  readonly updated_at: Date
}

const teamOf = ({ created_at, description, id, name, token_days, updated_at }: TeamRow): Team => ({
  id: TeamId.make(Number(id)),
  name,
  description,
  tokenDays: token_days === null ? null : Number(token_days),
  createdAt: timeText(created_at),
  updatedAt: timeText(updated_at)
})

/** The tables that reference teams. A team cannot be removed while one of them has a row of the team. */
const owned = ["project", "server", "private_key", "forge_app", "gitlab_app", "registry", "s3_storage", "tag", "token"]

/** Stores teams and their members in PostgreSQL. */
export const layerTeams = Layer.effect(
  TeamStore,
  Effect.map(SqlClient, (sql) => {
    const select = (rest: Fragment) =>
      orDieSql(Effect.map(sql<TeamRow>`SELECT team.* FROM team ${rest}`, (rows) => rows.map(teamOf)))
    const find = (id: TeamId) => Effect.map(select(sql`WHERE id = ${id}`), ([team]) => team)
    const members = makeCollection(sql, accounts)
    return {
      insert: ({ createdAt, description, name, tokenDays, updatedAt }) =>
        orDieSql(
          Effect.map(
            sql<TeamRow>`
              INSERT INTO team (name, description, token_days, created_at, updated_at)
              VALUES (${name}, ${description}, ${tokenDays}::bigint, ${moment(createdAt)}, ${moment(updatedAt)})
              RETURNING *`,
            // INVARIANT: an insert of one row returns it.
            ([row]) => teamOf(row as TeamRow)
          )
        ),
      find,
      lock: (id) =>
        Effect.flatMap(orDieSql(sql`SELECT id FROM team WHERE id = ${id} FOR NO KEY UPDATE`.values), (rows) =>
          rows.length === 0 ? Effect.undefined : find(id)
        ),
      list: select(sql`ORDER BY id`),
      ofAccount: (account) =>
        select(sql`
          JOIN team_member ON team_member.team_id = team.id WHERE account_uuid = ${lookup(account)} ORDER BY team.id`),
      replace: ({ description, id, name, tokenDays, updatedAt }) =>
        orDieSql(
          Effect.map(
            sql`
              UPDATE team SET name = ${name}, description = ${description}, token_days = ${tokenDays}::bigint,
                updated_at = ${moment(updatedAt)}
              WHERE id = ${id} RETURNING id`.values,
            (rows) => rows.length > 0
          )
        ),
      remove: (id) =>
        orDieSql(
          sql.withTransaction(
            Effect.gen(function* () {
              const found = yield* sql`SELECT id FROM team WHERE id = ${id} FOR UPDATE`.values
              if (found.length === 0) return false
              const [user] = yield* sql<{ readonly name: string }>`
                SELECT name FROM (${sql.literal(owned.map((table, at) => `SELECT ${at} AS place, '${table}' AS name WHERE EXISTS (SELECT FROM ${table} WHERE team_id = ${Number(id)})`).join(" UNION ALL "))}) users
                ORDER BY place LIMIT 1`
              if (user !== undefined) return yield* new InUse({ by: kindOf(user.name) })
              yield* sql`DELETE FROM team WHERE id = ${id}`
              return true
            })
          )
        ),
      members: (id) =>
        members.select(sql`
          JOIN team_member ON team_member.account_uuid = account.uuid WHERE team_member.team_id = ${id}
          ORDER BY team_member.id`),
      addMember: ({ accountUuid, createdAt, teamId }) =>
        orDieSql(
          Effect.map(
            sql`
              INSERT INTO team_member (team_id, account_uuid, created_at)
              VALUES (${teamId}, ${accountUuid}, ${moment(createdAt)}) ON CONFLICT DO NOTHING RETURNING id`.values,
            (rows) => rows.length > 0
          )
        ),
      removeMember: (id, account) =>
        orDieSql(
          Effect.map(
            sql`
              WITH revoked AS (
                DELETE FROM role_grant WHERE team_id = ${id} AND account_uuid = ${lookup(account)}
              ), withdrawn AS (
                DELETE FROM token WHERE team_id = ${id} AND account_uuid = ${lookup(account)}
              )
              DELETE FROM team_member WHERE team_id = ${id} AND account_uuid = ${lookup(account)} RETURNING id`.values,
            (rows) => rows.length > 0
          )
        )
    }
  })
)

interface AuditRow extends Omit<AuditRecord, "at" | "id" | "teamId"> {
  readonly id: string
  readonly teamId: string
  readonly at: Date
  readonly outcome: AuditOutcome
}

/** Stores the audit log in PostgreSQL. */
export const layerAudit = Layer.effect(
  AuditStore,
  Effect.map(SqlClient, (sql) => ({
    append: ({ accountUuid, action, at, detail, object, outcome, teamId, tokenUuid }, maxRecords) =>
      Effect.asVoid(
        orDieSql(sql`
          WITH old AS (
            DELETE FROM audit_record WHERE team_id = ${teamId} AND id <= (
              SELECT id FROM audit_record WHERE team_id = ${teamId} ORDER BY team_id DESC, id DESC
              OFFSET ${Math.max(0, maxRecords - 1)} LIMIT 1)
          )
          INSERT INTO audit_record (team_id, at, outcome, action, account_uuid, token_uuid, object, detail)
          VALUES (${teamId}, ${moment(at)}, ${outcome}, ${action}, ${accountUuid}, ${tokenUuid}, ${object}, ${detail})`)
      ),
    list: ({ before, limit, outcome, teamId }) =>
      orDieSql(
        Effect.map(
          sql<AuditRow>`
            SELECT id, team_id AS "teamId", at, outcome, action, account_uuid AS "accountUuid",
              token_uuid AS "tokenUuid", object, detail
            FROM audit_record WHERE team_id = ${teamId}
              AND ${before === undefined ? sql`true` : sql`id < ${before}`}
              AND ${outcome === undefined ? sql`true` : sql`outcome = ${outcome}`}
            ORDER BY team_id DESC, id DESC LIMIT ${limit}`,
          (rows) =>
            rows.map(
              (row): AuditRecord => ({
                ...row,
                id: Number(row.id),
                teamId: TeamId.make(Number(row.teamId)),
                at: timeText(row.at)
              })
            )
        )
      )
  }))
)
