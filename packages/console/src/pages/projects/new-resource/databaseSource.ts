import { html, selectField, typed } from "@slipway/web/foundation"
import { databasePath } from "../../../layout/links.ts"
import type { ConsoleVisit } from "../../../page/ConsolePage.ts"
import { nameField, placeIn, serverField } from "./creation.ts"
import type { Source } from "./sourcePage.ts"

/** The types of databases, each with the API operation that creates it. */
const kinds = [
  ["postgresql", "PostgreSQL"],
  ["mysql", "MySQL"],
  ["mariadb", "MariaDB"],
  ["redis", "Redis"],
  ["mongodb", "MongoDB"],
  ["keydb", "KeyDB"],
  ["dragonfly", "Dragonfly"],
  ["clickhouse", "ClickHouse"]
] as const

const createDatabase = ({ deploy: { databases } }: ConsoleVisit, kind: string) => {
  switch (kind) {
    case "mysql":
      return databases.createMysql
    case "mariadb":
      return databases.createMariadb
    case "redis":
      return databases.createRedis
    case "mongodb":
      return databases.createMongodb
    case "keydb":
      return databases.createKeydb
    case "dragonfly":
      return databases.createDragonfly
    case "clickhouse":
      return databases.createClickhouse
    default:
      return databases.createPostgresql
  }
}

/** A database of one of the supported types. */
export const databaseSource: Source<undefined> = {
  key: "database",
  texts: ({ texts: { databases: t } }) => ({ title: t.ofKind, hint: t.ofKindHint, button: t.create }),
  operations: kinds.map(
    ([kind]) => `databases.create${kind[0]?.toUpperCase()}${kind.slice(1)}` as "databases.createPostgresql"
  ),
  names: ["name", "server_uuid", "kind"],
  extra: async () => undefined,
  fields: (visit, servers) => {
    const options = kinds.map(([value, label]) => ({ value, label }))
    return html`${selectField(visit, { name: "kind", label: visit.texts.databases.kind, options })}${nameField(visit)}${serverField(visit, servers)}`
  },
  create: async (visit) => {
    const create = createDatabase(visit, typed(visit.form, "kind"))
    const { uuid } = await create({ body: { ...placeIn(visit), instant_deploy: true } })
    return databasePath(uuid)
  }
}
