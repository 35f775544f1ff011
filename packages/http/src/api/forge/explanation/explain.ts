import { Schema } from "effect"
import { endpoints, read } from "../base/endpoints.ts"
import { text } from "../base/schemas.ts"

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
  path: Schema.Array(
    Schema.Struct({
      stage: Schema.String,
      asks: Schema.String,
      passed: Schema.Boolean,
      because: Schema.Array(Schema.String)
    })
  ),
  changes: Schema.Array(Schema.String).annotate({
    description: "The changes that would reverse the decision: single facts, else pairs of facts."
  }),
  text: Schema.Array(Schema.String)
}).annotate({ identifier: "AccessExplanation" })

/** All actions on a resource, with whether the user is allowed to do them. */
export const AccessActions = Schema.Struct({
  resource: Schema.String,
  user: Schema.NullOr(Schema.Struct({ id: Schema.Int, login: Schema.String })),
  actions: Schema.Array(Schema.Struct({ action: Schema.String, allowed: Schema.Boolean, status: Schema.Int }))
}).annotate({ identifier: "AccessActions" })

const subject = { user: Schema.optionalKey(text(255)), resource: text(1_000) }

/** The endpoints that explain permissions. */
export const explainEndpoints = endpoints("explain", "Explanations of access decisions.", {
  "access.explain": read(AccessExplanation, { query: { ...subject, action: text(255) } }),
  "access.actions": read(AccessActions, { query: subject })
})
