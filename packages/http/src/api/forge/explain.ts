import { Schema } from "effect"
import { endpoints, read } from "./endpoints.ts"
import { text } from "./schemas.ts"

/** Why an action is allowed or refused. */
export const AccessExplanation = Schema.Struct({
  action: Schema.String,
  resource: Schema.String,
  user: Schema.NullOr(Schema.Struct({ id: Schema.Int, login: Schema.String })),
  allowed: Schema.Boolean,
  status: Schema.Int.annotate({ description: "What a request would be answered with; 200 where it would go on." }),
  message: Schema.String,
  rules: Schema.Array(Schema.String).annotate({ description: "The rules that decided, by their names in the tables." }),
  teams: Schema.Array(Schema.String).annotate({ description: "The teams of the user that count." }),
  path: Schema.Array(
    Schema.Struct({
      stage: Schema.String,
      asks: Schema.String,
      passed: Schema.Boolean,
      because: Schema.Array(Schema.String)
    })
  ),
  text: Schema.Array(Schema.String)
}).annotate({ identifier: "AccessExplanation" })

/** The endpoint that says why. */
export const explainEndpoints = endpoints("explain", "Why somebody may do something or not.", {
  "access.explain": read(AccessExplanation, {
    query: { user: Schema.optionalKey(text(255)), action: text(255), resource: text(1_000) }
  })
})
