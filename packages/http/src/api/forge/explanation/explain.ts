import { AccessPreview, mostChecks } from "@slipway/forge/explanation"
import { Schema } from "effect"
import { settingBody } from "../../bodySizes.ts"
import { PersonShown } from "../base/accessChanges.ts"
import { all, endpoints, list, raw, read } from "../base/endpoints.ts"
import { UnavailableBody } from "../base/errors.ts"
import { text } from "../base/schemas.ts"

const ExplainedStep = Schema.Struct({
  stage: Schema.String,
  asks: Schema.String,
  passed: Schema.Boolean,
  because: Schema.Array(Schema.String)
})

/** The reason why an action is allowed or denied. */
export const AccessExplanation = Schema.Struct({
  action: Schema.String,
  resource: Schema.String,
  user: Schema.NullOr(Schema.Struct({ id: Schema.Int, login: Schema.String })),
  allowed: Schema.Boolean,
  status: Schema.Int.annotate({ description: "The status of a corresponding request; 200 if it is allowed." }),
  message: Schema.String,
  rules: Schema.Array(Schema.String).annotate({ description: "The deciding rules, by their names in the tables." }),
  teams: Schema.Array(Schema.String).annotate({ description: "The deciding teams of the user." }),
  path: Schema.Array(ExplainedStep),
  changes: Schema.Array(Schema.String).annotate({
    description: "The changes that would reverse the decision: single facts, else pairs of facts."
  }),
  text: Schema.Array(Schema.String)
}).annotate({ identifier: "AccessExplanation" })

/** All actions on a resource, each with whether the user is allowed to perform it. */
export const AccessActions = Schema.Struct({
  resource: Schema.String,
  user: Schema.NullOr(Schema.Struct({ id: Schema.Int, login: Schema.String })),
  actions: Schema.Array(Schema.Struct({ action: Schema.String, allowed: Schema.Boolean, status: Schema.Int }))
}).annotate({ identifier: "AccessActions" })

/** The decision on one action of the caller; the reasons are present if the request has `explain`. */
export const AccessCheck = Schema.Struct({
  action: Schema.String,
  resource: Schema.String,
  allowed: Schema.Boolean,
  status: Schema.Int.annotate({ description: "The status of the refusal; 200 if the action is allowed." }),
  message: Schema.optionalKey(Schema.String),
  rules: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
    description: "The rules that decided. Empty for a missing resource and for a hidden one."
  }),
  path: Schema.optionalKey(Schema.Array(ExplainedStep))
}).annotate({ identifier: "AccessCheck" })

/** A user or a group of callers, and whether the action is allowed to them. */
export const AccessSubject = Schema.Struct({
  user: Schema.optionalKey(PersonShown),
  audience: Schema.optionalKey(Schema.Literals(AccessPreview.audiences)).annotate({
    description: "All anonymous callers, or all signed-in users without individual access."
  }),
  allowed: Schema.Boolean,
  status: Schema.Int.annotate({ description: "The status of a corresponding request; 200 if it is allowed." }),
  rules: Schema.Array(Schema.String).annotate({ description: "The deciding rules, by their names in the tables." })
}).annotate({ identifier: "AccessSubject" })

/** A resource on which an action is allowed. */
export const AccessObject = Schema.Struct({
  resource: Schema.String.annotate({ description: "The resource as other questions name it: repo:<owner>/<name>." }),
  id: Schema.Int
}).annotate({ identifier: "AccessObject" })

const AccessChecks = Schema.Struct({
  checks: Schema.Array(
    Schema.Struct({
      action: text(255).annotate({ description: "The name of an action in the access tables." }),
      resource: text(1_000).annotate({
        description:
          "org:<name>, team:<id>, repo:<owner>/<name>, user:<name>, packages:<owner>, site, or for example issue:<owner>/<name>#<number>."
      })
    })
  ).check(Schema.isMaxLength(mostChecks)),
  explain: Schema.optionalKey(Schema.Boolean).annotate({ description: "Whether the answers contain the reasons." })
}).annotate({ identifier: "AccessChecks" })

const subject = { user: Schema.optionalKey(text(255)), resource: text(1_000) }

const objectsQuery = {
  action: text(255),
  user: Schema.optionalKey(text(255)),
  owner: Schema.optionalKey(text(255))
}

const subjectsQuery = { resource: text(1_000), action: text(255) }

/** The endpoints that explain permissions. */
export const explainEndpoints = endpoints("explain", "Explanations of access decisions.", {
  "access.explain": read(AccessExplanation, { query: { ...subject, action: text(255) } }),
  "access.actions": read(AccessActions, { query: subject }),
  "access.objects": list(AccessObject, { query: objectsQuery }),
  "access.subjects": list(AccessSubject, { query: subjectsQuery }),
  "access.watch": raw({ query: subjectsQuery, contentType: "text/event-stream", errors: [UnavailableBody] }),
  "access.check": all(AccessCheck, { body: AccessChecks, largest: settingBody })
})
