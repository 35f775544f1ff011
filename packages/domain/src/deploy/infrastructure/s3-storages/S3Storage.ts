import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Sealed } from "../../../Vault.ts"
import type { TeamId } from "../../identity/teams/Team.ts"

/** The uuid of an S3 storage. */
export const S3StorageUuid = Uuid.pipe(Schema.brand("S3StorageUuid"))
export type S3StorageUuid = typeof S3StorageUuid.Type

/** A bucket of an S3-compatible server that receives backups. */
export interface S3Storage extends Entity {
  readonly uuid: S3StorageUuid
  readonly teamId: TeamId
  readonly name: string
  readonly description: string
  /** The URL of the server; the bucket is the first part of the path of its objects. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKey: Sealed
  readonly secretKey: Sealed
  /** Whether backups may be uploaded; the result of the last connection test. */
  readonly isUsable: boolean
  /** The age recipient that can decrypt new backups; null uploads them without encryption. */
  readonly recipient: string | null
  /** The platform's own age identity, which also decrypts encrypted backups; null before the first recipient. */
  readonly identity: Sealed | null
}

/** Reports that the S3 storage does not exist. */
export class S3StorageNotFound extends Schema.TaggedError<S3StorageNotFound>()("S3StorageNotFound", {}) {}
