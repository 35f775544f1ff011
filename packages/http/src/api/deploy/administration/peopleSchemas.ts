import { CapabilityName } from "@slipway/domain/deploy/access"
import { grantPlaces } from "@slipway/domain/deploy/identity"
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { eventOf } from "../base/events.ts"
import { stamps } from "../base/schemas.ts"

const place = {
  place_type: Schema.Literals(grantPlaces),
  place_uuid: Schema.NullOr(Schema.String)
}

const shownRole = Schema.String.annotate({ description: "The built-in role, or the UUID of a custom one." })

/** A role for an account or a group on a place as returned by the API. */
export const Grant = Schema.Struct({
  ...stamps,
  team_id: Schema.Number,
  account_uuid: Schema.NullOr(Schema.String),
  group_uuid: Schema.NullOr(Schema.String),
  ...place,
  role: shownRole
}).annotate({ identifier: "Grant" })

/** An invitation of an account to a team as returned by the API. */
export const Invitation = Schema.Struct({
  ...stamps,
  team_id: Schema.Number,
  account_uuid: Schema.String,
  ...place,
  role: shownRole,
  expires_at: Schema.String
}).annotate({ identifier: "Invitation" })

/** A group of accounts as returned by the API. */
export const AccountGroup = Schema.Struct({
  ...stamps,
  team_id: Schema.Number,
  name: Schema.String,
  members: Schema.Array(Schema.String).annotate({ description: "The UUIDs of the accounts." })
}).annotate({ identifier: "AccountGroup" })

/** A role as returned by the API; built-in roles have no UUID. */
export const Role = Schema.Struct({
  uuid: Schema.NullOr(Schema.String),
  name: Schema.String,
  capabilities: Schema.Array(CapabilityName)
}).annotate({ identifier: "Role" })

/** The result of an access check: whether the action is allowed, and the status that the real request would get. */
export const AccessAnswer = Schema.Struct({
  action: Schema.String,
  object: Schema.NullOr(Schema.String),
  allowed: Schema.Boolean,
  status: Schema.Number,
  because: Schema.String
}).annotate({ identifier: "AccessAnswer" })

/** The checks of a decision, each with the rules that passed and the facts that they read. */
const steps = Schema.Array(
  Schema.Struct({
    check: Schema.String,
    passed: Schema.Boolean,
    rules: Schema.Array(Schema.String),
    facts: Schema.Array(Schema.String)
  })
)

/** The explanation of an access decision: each check in order, up to the first failed check. */
export const AccessExplanation = Schema.Struct({
  ...AccessAnswer.fields,
  steps
}).annotate({ identifier: "AccessExplanation" })

/** A member of a team, and whether the member may perform an action on an object. */
export const AccessSubject = Schema.Struct({
  account_uuid: Schema.String,
  name: Schema.String,
  allowed: Schema.Boolean,
  status: Schema.Int,
  because: Schema.String
}).annotate({ identifier: "AccessSubject" })

/** An object on which an action is allowed. */
export const AccessObject = Schema.Struct({
  id: Schema.Number,
  type: Schema.String,
  uuid: Schema.String,
  name: Schema.NullOr(Schema.String)
}).annotate({ identifier: "AccessObject" })

const subjects = Schema.Struct({ subjects: Schema.Array(Schema.Struct(AccessSubject.fields)) })

/** The server-sent events of a stream of access decisions. */
export const AccessEvents = HttpApiSchema.StreamSse({
  events: Schema.Union([
    eventOf("decisions", subjects),
    eventOf("changes", subjects),
    eventOf("end", Schema.Struct({ reason: Schema.String }))
  ])
})

/** A record of the audit log. */
export const AuditRecord = Schema.Struct({
  id: Schema.Number,
  team_id: Schema.Number,
  at: Schema.String.annotate({ format: "date-time" }),
  outcome: Schema.Literals(["done", "denied"]),
  action: Schema.String,
  account_uuid: Schema.NullOr(Schema.String),
  token_uuid: Schema.String,
  object: Schema.NullOr(Schema.String),
  detail: Schema.String
}).annotate({ identifier: "AuditRecord" })

/** An account or a token that may deploy as returned by the API. */
export const Deployer = Schema.Struct({
  type: Schema.Literals(["account", "token"]),
  uuid: Schema.String,
  name: Schema.String,
  needs_approval: Schema.Boolean.annotate({
    description: "Whether its deployments wait for an approval, because the environment is protected."
  }),
  is_instance_owner: Schema.Boolean.annotate({
    description: "Whether it is allowed as administrator of the instance, or as a token of the team itself."
  }),
  grants: Schema.Array(
    Schema.Struct({
      uuid: Schema.String,
      group_uuid: Schema.NullOr(Schema.String),
      group_name: Schema.NullOr(Schema.String),
      ...place,
      role: Schema.String.annotate({ description: "The name of the role." })
    })
  ).annotate({ description: "The grants on the resource and above it that allow it." }),
  steps
}).annotate({ identifier: "Deployer" })
