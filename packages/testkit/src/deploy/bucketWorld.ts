import type { BucketAccess } from "@slipway/domain/deploy/infrastructure"
import { Context, type Effect } from "effect"

/** The S3 server that the contract of object storages runs against. */
export class BucketWorld extends Context.Service<
  BucketWorld,
  {
    readonly access: BucketAccess
    /** Leaves an unfinished upload of a key, as a killed process does. */
    readonly leaveUpload: (key: string) => Effect.Effect<void>
    /** Returns the keys of unfinished uploads. */
    readonly uploads: Effect.Effect<ReadonlyArray<string>>
    /** The size of one part of an upload, in bytes. */
    readonly partSize: number
  }
>()("@slipway/testkit/deploy/BucketWorld") {}
