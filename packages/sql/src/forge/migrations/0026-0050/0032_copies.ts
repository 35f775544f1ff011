import { Fields } from "@slipway/domain"
import { origins } from "@slipway/domain/forge/collaboration"
import { copyings } from "@slipway/domain/forge/integrations"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

// The original columns: migration 0039 adds LFS, omitted files and a third type of host.
const { leftOut: _, lfs: __, numbersBefore: ___, ...fields } = copyings.fields
const copying = { ...copyings, fields: { ...fields, service: Fields.oneOf("gitea", "github") } }

/** Creates the tables of repository migrations from other hosts: the copied resources and their origin. */
export const copies: Migration = { name: "0032_copies", up: [...createTable(copying), ...createTable(origins)] }
