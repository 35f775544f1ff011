import { AccessPreview } from "@slipway/forge/explanation"
import { Schema } from "effect"

import { LevelWord } from "./schemas.ts"

/** An access level before and after a change. */
export const Step = Schema.Struct({ before: LevelWord, after: LevelWord })

/** A user in a response, with only the fields that identify the user. */
export const PersonShown = Schema.Struct({ id: Schema.Int, login: Schema.String, full_name: Schema.String })

/** A repository in a response, with only the fields that identify it and its visibility. */
export const RepositoryShown = Schema.Struct({ id: Schema.Int, full_name: Schema.String, private: Schema.Boolean })

/** The permissions on a repository that a user, or all anonymous or signed-in callers, would gain or lose. */
export const AccessChange = Schema.Struct({
  user: Schema.optionalKey(PersonShown),
  audience: Schema.optionalKey(Schema.Literals(AccessPreview.audiences)),
  repository: RepositoryShown,
  loses: Schema.Boolean,
  gains: Schema.Boolean,
  permission: Step,
  units: Schema.Record(Schema.String, Step).annotate({ description: "The units with a changed level." })
}).annotate({ identifier: "AccessChange" })

/** The response of an access preview. */
export const AccessChanges = Schema.Array(AccessChange)
