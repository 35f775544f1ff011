import type { BucketAccess } from "@slipway/domain/deploy/infrastructure"
import { Context, type Effect } from "effect"

/** Access to the S3 server with which the contract tests of object storages run. */
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
