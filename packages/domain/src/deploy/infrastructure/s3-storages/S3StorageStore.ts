import { Context } from "effect"
import type { VisibleCollection } from "../../identity/grants/Visible.ts"
import type { S3Storage } from "./S3Storage.ts"

/** Stores S3 storages. */
export class S3StorageStore extends Context.Service<S3StorageStore, VisibleCollection<S3Storage>>()(
  "@slipway/domain/deploy/S3StorageStore"
) {}
