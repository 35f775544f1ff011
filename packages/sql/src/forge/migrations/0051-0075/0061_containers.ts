import {
  containerBlobs,
  containerManifests,
  containerReferences,
  containerTags,
  containerUploads,
  pendingContainerBlobs
} from "@slipway/domain/forge/registries"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/** Creates the tables of container images: manifests, blobs and uploads. */
export const containers: Migration = {
  name: "0061_containers",
  up: [
    ...createTable(containerBlobs),
    ...createTable(pendingContainerBlobs),
    ...createTable(containerManifests),
    ...createTable(containerReferences),
    ...createTable(containerTags),
    ...createTable(containerUploads)
  ]
}
