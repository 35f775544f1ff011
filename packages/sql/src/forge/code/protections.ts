import { PgTypes } from "@effect/sql-pg"
import { Duplicate } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  AllowedPeople,
  type BranchProtection,
  type BranchProtectionId,
  BranchRules,
  type NewBranchProtection,
  ProtectionStore,
  type TagProtection,
  type TagProtectionId
} from "@slipway/domain/forge/code"
import type { TeamId, UserId } from "@slipway/domain/forge/identity"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { type Column, integer, text, time } from "../../collection/columns.ts"
import { onUnique, orDieSql } from "../../SqlErrors.ts"
import { readAll, reader } from "../base/rows.ts"
import { userParameter } from "../identity/accounts.ts"
import { idParameter } from "../identity/units.ts"

/**
 * Declares a column for a JSON document that a schema validates when it is read, because an older version may have
 * written it.
 */
const documentOf = <A>(name: string, schema: Schema.Decoder<A>): Column<A> => {
  const decode = Schema.decodeUnknownSync(schema)
  return { _tag: "Column", name, expression: undefined, write: PgTypes.jsonb, read: (stored) => decode(stored) }
}

interface BranchRow extends Pick<BranchProtection, "id" | "repositoryId" | "ruleName" | "priority"> {
  readonly rules: BranchRules
  readonly createdAt: string
  readonly updatedAt: string
}

const branchReader = reader<BranchRow>({
  id: integer<BranchProtectionId>("id"),
  repositoryId: integer<RepositoryId>("repository_id"),
  ruleName: text("rule_name"),
  priority: integer("priority"),
  rules: documentOf("rules", BranchRules),
  createdAt: time("created_at"),
  updatedAt: time("updated_at")
})

const tagReader = reader<TagProtection>({
  id: integer<TagProtectionId>("id"),
  repositoryId: integer<RepositoryId>("repository_id"),
  namePattern: text("name_pattern"),
  allowed: documentOf("allowed", AllowedPeople),
  createdAt: time("created_at"),
  updatedAt: time("updated_at")
})

const whole = ({ rules, ...row }: BranchRow): BranchProtection => ({ ...row, ...rules })
const rulesOf = Schema.decodeUnknownSync(BranchRules)
const at = (moment: string) => time("").write?.(moment)

const rulesWithoutTeams = ["approvals", "forcePush", "merge", "push"].reduce(
  (rules, permitted) => `jsonb_set(${rules}, '{${permitted},allowed,teams}', '[]')`,
  "rules"
)

/** Stores the protection rules of branches and tags in PostgreSQL. */
export const layerProtections = Layer.effect(
  ProtectionStore,
  Effect.map(SqlClient, (sql) => {
    const branchColumns = sql.literal(branchReader.of("branch_protection"))
    const tagColumns = sql.literal(tagReader.of("tag_protection"))
    const readBranches = (rows: ReadonlyArray<ReadonlyArray<unknown>>) => readAll(branchReader)(rows).map(whole)
    const readTags = readAll(tagReader)
    const isOne = (rows: ReadonlyArray<unknown>) => rows.length > 0
    const patternTaken = () => new Duplicate({ of: "tagProtection.namePattern" })
    const inserting = (rows: ReadonlyArray<NewBranchProtection>) =>
      Effect.flatMap(
        sql`
          INSERT INTO branch_protection (repository_id, rule_name, priority, rules, created_at, updated_at)
          VALUES ${sql.csv(
            rows.map(
              (row) =>
                sql`(${idParameter(row.repositoryId)}, ${row.ruleName}, ${row.priority}, ${PgTypes.jsonb(rulesOf(row))},
                  ${at(row.createdAt)}, ${at(row.updatedAt)})`
            )
          )}
          ON CONFLICT ON CONSTRAINT branch_protection_once DO NOTHING
          RETURNING ${branchColumns}`.values,
        (stored) =>
          stored.length < rows.length
            ? Effect.fail(new Duplicate({ of: "branchProtection.ruleName" }))
            : Effect.succeed(readBranches(stored).toSorted((one, other) => one.id - other.id))
      )
    return {
      insertBranch: (row) => orDieSql(Effect.map(inserting([row]), ([inserted]) => inserted as BranchProtection)),
      insertBranches: (rows) =>
        rows.length === 0 ? Effect.succeed([]) : orDieSql(sql.withTransaction(inserting(rows))),
      branchNamed: (repository, ruleName) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT ${branchColumns} FROM branch_protection
              WHERE repository_id = ${idParameter(repository)} AND rule_name = ${lookup(ruleName)}`.values,
            (rows) => readBranches(rows)[0]
          )
        ),
      branches: (repository) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT ${branchColumns} FROM branch_protection
              WHERE repository_id = ${idParameter(repository)} ORDER BY priority, id`.values,
            readBranches
          )
        ),
      replaceBranch: (row) =>
        orDieSql(
          Effect.map(
            sql`
              UPDATE branch_protection SET priority = ${row.priority}, rules = ${PgTypes.jsonb(rulesOf(row))},
                created_at = ${at(row.createdAt)}, updated_at = ${at(row.updatedAt)}
              WHERE repository_id = ${idParameter(row.repositoryId)} AND id = ${idParameter(row.id)}
              RETURNING id`.values,
            isOne
          )
        ),
      removeBranch: (repository, id) =>
        orDieSql(
          Effect.map(
            sql`
              DELETE FROM branch_protection
              WHERE repository_id = ${idParameter(repository)} AND id = ${idParameter(id)} RETURNING id`.values,
            isOne
          )
        ),
      prioritise: (repository, ids) =>
        Effect.asVoid(
          orDieSql(sql`
            UPDATE branch_protection SET priority = listed.place
            FROM jsonb_array_elements_text(${PgTypes.jsonb(ids)}) WITH ORDINALITY AS listed (id, place)
            WHERE repository_id = ${idParameter(repository)} AND branch_protection.id::text = listed.id`)
        ),
      insertTag: (row) =>
        orDieSql(
          sql`
          INSERT INTO tag_protection (repository_id, name_pattern, allowed, created_at, updated_at)
          VALUES (${idParameter(row.repositoryId)}, ${row.namePattern}, ${PgTypes.jsonb(row.allowed)},
            ${at(row.createdAt)}, ${at(row.updatedAt)})
          ON CONFLICT ON CONSTRAINT tag_protection_once DO NOTHING
          RETURNING ${tagColumns}`.values
        ).pipe(
          Effect.flatMap((rows) => {
            const [inserted] = readTags(rows)
            return inserted === undefined ? Effect.fail(patternTaken()) : Effect.succeed(inserted)
          })
        ),
      tag: (repository, id) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT ${tagColumns} FROM tag_protection
              WHERE repository_id = ${idParameter(repository)} AND id = ${idParameter(id)}`.values,
            (rows) => readTags(rows)[0]
          )
        ),
      tags: (repository) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT ${tagColumns} FROM tag_protection
              WHERE repository_id = ${idParameter(repository)} ORDER BY id`.values,
            readTags
          )
        ),
      replaceTag: (row) =>
        sql
          .withTransaction(
            sql`
              UPDATE tag_protection SET name_pattern = ${row.namePattern}, allowed = ${PgTypes.jsonb(row.allowed)},
                created_at = ${at(row.createdAt)}, updated_at = ${at(row.updatedAt)}
              WHERE repository_id = ${idParameter(row.repositoryId)} AND id = ${idParameter(row.id)}
              RETURNING id`.values
          )
          .pipe(onUnique("tag_protection_once", patternTaken), orDieSql, Effect.map(isOne)),
      withoutTeams: (repository) =>
        Effect.asVoid(
          orDieSql(sql`
            WITH tags AS (
              UPDATE tag_protection SET allowed = jsonb_set(allowed, '{teams}', '[]')
              WHERE repository_id = ${idParameter(repository)}
            )
            UPDATE branch_protection SET rules = ${sql.literal(rulesWithoutTeams)}
            WHERE repository_id = ${idParameter(repository)}`)
        ),
      teamsAmong: (user, teams) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT team_id::float8 FROM team_member
              WHERE user_id = ${userParameter(user)}
                AND team_id IN (SELECT jsonb_array_elements_text(${PgTypes.jsonb(teams)})::bigint)`.values,
            (rows) => rows.map(([id]) => id as TeamId)
          )
        ),
      teamsOfEach: (users, teams) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT user_id::float8, array_agg(team_id::float8 ORDER BY team_id) FROM team_member
              WHERE user_id = ANY(${users.map(String)}::bigint[]) AND team_id = ANY(${teams.map(String)}::bigint[])
              GROUP BY user_id`.values,
            (rows) => new Map(rows.map(([user, among]) => [user as UserId, among as ReadonlyArray<TeamId>]))
          )
        ),
      removeTag: (repository, id) =>
        orDieSql(
          Effect.map(
            sql`
              DELETE FROM tag_protection
              WHERE repository_id = ${idParameter(repository)} AND id = ${idParameter(id)} RETURNING id`.values,
            isOne
          )
        )
    }
  })
)
