import { type PrivateKey, PrivateKeyStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { makeCollection } from "../../collection/collection.ts"
import { integer, nullable, text } from "../../collection/columns.ts"
import { deployTable } from "../base/tables.ts"
import { ofTeam, visibleCollection } from "../base/visible.ts"

const keys = deployTable<PrivateKey>("private_key", {
  teamId: integer("team_id"),
  name: text("name"),
  description: text("description"),
  privateKey: text("private_key"),
  publicKey: text("public_key"),
  fingerprint: text("fingerprint"),
  signsFor: nullable(text("signs_for"))
})

/** Stores private keys in PostgreSQL. */
export const layerKeys = Layer.effect(
  PrivateKeyStore,
  Effect.map(SqlClient, (sql) => visibleCollection(sql, makeCollection(sql, keys), ofTeam("private_key.team_id")))
)
