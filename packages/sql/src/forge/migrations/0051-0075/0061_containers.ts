import {
  containerBlobs,
  containerHoldings,
  containerManifests,
  containerReferences,
  containerTags,
  containerUploads
} from "@slipway/domain/forge/registries"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/** Keeps what images of containers are made of, and what is being uploaded of them. */
export const containers: Migration = {
  name: "0061_containers",
  up: [
    ...createTable(containerBlobs),
    ...createTable(containerHoldings),
    ...createTable(containerManifests),
    ...createTable(containerReferences),
    ...createTable(containerTags),
    ...createTable(containerUploads)
  ]
}
