import { RepositoryHostKeyStore } from "@slipway/domain/deploy/apps"
import { type HostKey, HostKeyStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { orDieSql } from "../../SqlErrors.ts"

/** Stores SSH host keys of servers in PostgreSQL. */
export const layerHostKeys = Layer.effect(
  HostKeyStore,
  Effect.map(SqlClient, (sql) => ({
    // Returns the stored key, also if another process has just stored it.
    admit: (server, { address, fingerprint }) =>
      Effect.map(
        orDieSql(sql<Pick<HostKey, "fingerprint">>`
          INSERT INTO server_host_key (server_uuid, address, fingerprint)
          SELECT uuid, ${address}, ${fingerprint} FROM server WHERE uuid = ${lookup(server)}
          ON CONFLICT (server_uuid, address) DO UPDATE SET address = EXCLUDED.address
          RETURNING fingerprint`),
        (rows) => rows[0]?.fingerprint === fingerprint
      ),
    ofServer: (server) =>
      orDieSql(sql<HostKey>`
        SELECT address, fingerprint FROM server_host_key WHERE server_uuid = ${lookup(server)} ORDER BY address`),
    forget: (server) => Effect.asVoid(orDieSql(sql`DELETE FROM server_host_key WHERE server_uuid = ${lookup(server)}`))
  }))
)

/** Stores SSH host keys of machines with repositories in PostgreSQL. */
export const layerRepositoryHostKeys = Layer.effect(
  RepositoryHostKeyStore,
  Effect.map(SqlClient, (sql) => ({
    admit: ({ address, fingerprint }) =>
      Effect.map(
        orDieSql(sql<Pick<HostKey, "fingerprint">>`
          INSERT INTO repository_host_key (address, fingerprint) VALUES (${address}, ${fingerprint})
          ON CONFLICT (address) DO UPDATE SET address = EXCLUDED.address
          RETURNING fingerprint`),
        (rows) => rows[0]?.fingerprint ?? ""
      ),
    list: (most) =>
      orDieSql(sql<HostKey>`SELECT address, fingerprint FROM repository_host_key ORDER BY address LIMIT ${most}`),
    forget: (address) =>
      Effect.map(
        orDieSql(sql`DELETE FROM repository_host_key WHERE address = ${lookup(address)} RETURNING address`),
        (rows) => rows.length > 0
      )
  }))
)
