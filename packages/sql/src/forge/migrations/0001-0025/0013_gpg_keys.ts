import { gpgKeys as gpgKeyKind } from "@slipway/domain/forge/identity"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/** Creates the table of OpenPGP keys. */
export const gpgKeys: Migration = { name: "0013_gpg_keys", up: createTable(gpgKeyKind) }
