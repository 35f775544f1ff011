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
  /** The URL of the S3 server; requests are path-style, so the bucket is the first part of the path. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKey: Sealed
  readonly secretKey: Sealed
  /** Whether the last connection test succeeded; if not, no backups are uploaded. */
  readonly isUsable: boolean
  /** The public `age` key of the user, for which new backups are encrypted; null uploads them without encryption. */
  readonly recipient: string | null
  /** The platform's own secret `age` key, which also decrypts the backups; null until a recipient is set. */
  readonly identity: Sealed | null
}

/** Reports that the S3 storage does not exist. */
export class S3StorageNotFound extends Schema.TaggedError<S3StorageNotFound>()("S3StorageNotFound", {}) {}
