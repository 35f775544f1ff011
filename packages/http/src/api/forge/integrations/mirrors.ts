import { Schema } from "effect"
import { create, done, endpoints, list, read, remove } from "../base/endpoints.ts"
import { Moment, optionalNullable, text } from "../base/schemas.ts"

/** A push mirror: the copy of a repository at another host. Credentials are not returned. */
export const PushMirror = Schema.Struct({
  repo_name: Schema.String,
  remote_name: Schema.String,
  remote_address: Schema.String,
  created: Moment,
  last_update: Moment,
  last_error: Schema.String,
  interval: Schema.String,
  sync_on_commit: Schema.Boolean
}).annotate({ identifier: "PushMirror" })

/** The request body that creates a push mirror. */
export const CreatePushMirrorOption = Schema.Struct({
  remote_address: text(2_000),
  remote_username: optionalNullable(text(255)),
  remote_password: optionalNullable(text(1_000)),
  interval: optionalNullable(text(40)),
  sync_on_commit: optionalNullable(Schema.Boolean)
}).annotate({ identifier: "CreatePushMirrorOption" })

/** The progress of a repository's migration, or the source of its pull mirror. */
export const Migration = Schema.Struct({
  original_url: Schema.String,
  state: Schema.Literals(["waiting", "running", "failed", "done"]),
  mirror: Schema.Boolean,
  last_error: Schema.String,
  copied: Schema.Int,
  left_out: Schema.Int,
  created: Moment,
  updated: Moment
}).annotate({ identifier: "Migration" })

/** The endpoints of push and pull mirrors. */
export const mirrorEndpoints = endpoints(
  "mirrors",
  "Pull mirrors of other hosts' repositories, and push mirrors to them.",
  {
    "repository.mirror.sync": done({ status: 200 }),
    "repository.migration.read": read(Migration),
    "repository.push-mirror.list": list(PushMirror),
    "repository.push-mirror.create": create(PushMirror, { body: CreatePushMirrorOption, status: 200 }),
    "repository.push-mirror.read": read(PushMirror),
    "repository.push-mirror.delete": remove(),
    "repository.push-mirror.sync": done({ status: 200 })
  }
)
