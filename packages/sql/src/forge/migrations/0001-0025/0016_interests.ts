import { stars, watches } from "@slipway/domain/forge/code"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/** Creates the tables of stars and watches. */
export const interests: Migration = { name: "0016_interests", up: [stars, watches].flatMap(createTable) }
