import type { Database } from "@slipway/domain/deploy/databases"
import {
  externalAddress,
  internalAddress,
  kindOf,
  openDatabase as open,
  type DatabaseValues as Values
} from "@slipway/domain/deploy/databases"
import type { Authorized } from "@slipway/domain/deploy/entry"
import type { ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { record } from "../identity/audit/record.ts"

/** Returns the addresses of the servers of publicly accessible databases, read in one query. */
export const hostsOf = Effect.fnUntraced(function* (databases: ReadonlyArray<Database>) {
  const wanted = databases.flatMap(({ isPublic, placement }) => (isPublic ? [placement.serverUuid] : []))
  const servers = yield* (yield* ServerStore).findMany(wanted)
  return new Map(servers.map(({ ip, uuid }) => [uuid, ip])) as ReadonlyMap<ServerUuid, string>
})

/**
 * Returns the type-specific fields of a database and its connection URLs. Secrets are null unless the authorization
 * proof permits the caller to see them.
 */
export const show = Effect.fnUntraced(function* (
  database: Database,
  hosts: ReadonlyMap<ServerUuid, string>,
  proof: Authorized<"database.secrets"> | undefined
) {
  if (proof === undefined) {
    const names = Object.keys(kindOf(database.kind).fields)
    const fields: Values = Object.fromEntries(names.map((name) => [name, database.settings[name] ?? null]))
    return { fields, internalAddress: null, externalAddress: null }
  }
  const fields = yield* open(database)
  const host = hosts.get(database.placement.serverUuid)
  return {
    fields,
    internalAddress: internalAddress(database, fields),
    externalAddress: host === undefined ? null : externalAddress(database, fields, host)
  }
})

/** Returns the connection URLs of a database, and records in the audit log who read them. */
export const revealCredentials = Effect.fnUntraced(function* ({ action, resource }: Authorized<"database.secrets">) {
  const { caller, database } = resource
  const hosts = yield* hostsOf([database])
  const values = yield* open(database)
  const host = hosts.get(database.placement.serverUuid)
  yield* record(caller, "done", {
    teamId: database.placement.teamId,
    action,
    object: database.uuid,
    detail: "revealed the credentials"
  })
  return {
    internalAddress: internalAddress(database, values),
    externalAddress: host === undefined ? null : externalAddress(database, values, host)
  }
})
