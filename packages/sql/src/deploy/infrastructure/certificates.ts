import type { Sealed } from "@slipway/domain"
import type { TeamId } from "@slipway/domain/deploy/identity"
import { type CertificateAuthority, CertificateAuthorityStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { moment } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"

interface AuthorityRow {
  readonly certificate: string
  readonly private_key: Sealed
  readonly expires_at: Date
  readonly created_at: Date
}

/** Stores the certificate authorities of teams in PostgreSQL. */
export const layerCertificateAuthorities = Layer.effect(
  CertificateAuthorityStore,
  Effect.map(SqlClient, (sql) => {
    const find = (teamId: TeamId) =>
      Effect.map(
        orDieSql(
          sql<AuthorityRow>`
            SELECT certificate, private_key, expires_at, created_at FROM certificate_authority
            WHERE team_id = ${teamId}`
        ),
        ([row]): CertificateAuthority | undefined =>
          row && {
            teamId,
            certificate: row.certificate,
            privateKey: row.private_key,
            expiresAt: row.expires_at.toISOString(),
            createdAt: row.created_at.toISOString()
          }
      )
    return {
      find,
      insert: (authority) =>
        Effect.gen(function* () {
          const { certificate, createdAt, expiresAt, privateKey, teamId } = authority
          yield* orDieSql(sql`
            INSERT INTO certificate_authority (team_id, certificate, private_key, expires_at, created_at)
            VALUES (${teamId}, ${certificate}, ${privateKey}, ${moment(expiresAt)}, ${moment(createdAt)})
            ON CONFLICT (team_id) DO NOTHING`)
          return (yield* find(teamId)) ?? authority
        }),
      renew: ({ certificate, expiresAt, teamId }) =>
        Effect.asVoid(
          orDieSql(sql`
            UPDATE certificate_authority SET certificate = ${certificate}, expires_at = ${moment(expiresAt)}
            WHERE team_id = ${teamId}`)
        )
    }
  })
)
