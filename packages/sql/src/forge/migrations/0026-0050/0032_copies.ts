import { Fields } from "@slipway/domain"
import { origins } from "@slipway/domain/forge/collaboration"
import { copyings } from "@slipway/domain/forge/integrations"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

// As it was then: LFS, files that are left out and a third kind of host came with files.
const { leftOut: _, lfs: __, numbersBefore: ___, ...fields } = copyings.fields
const copying = { ...copyings, fields: { ...fields, service: Fields.oneOf("gitea", "github") } }

/** Makes the tables of what is copied from other hosts besides git, and where it comes from. */
export const copies: Migration = { name: "0032_copies", up: [...createTable(copying), ...createTable(origins)] }
