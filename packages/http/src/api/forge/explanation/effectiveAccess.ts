import { Schema } from "effect"
import { PersonShown, RepositoryShown } from "../base/accessChanges.ts"
import { endpoints, list } from "../base/endpoints.ts"
import { LevelWord } from "../base/schemas.ts"

/** A user's effective access to a repository for each unit (code, issues…), with the rules and teams that grant it. */
export const Access = Schema.Struct({
  user: PersonShown,
  repository: RepositoryShown,
  permission: LevelWord,
  units: Schema.Record(
    Schema.String,
    Schema.Struct({
      level: LevelWord,
      by: Schema.Array(
        Schema.Struct({ rule: Schema.String, because: Schema.String, teams: Schema.Array(Schema.String) })
      )
    })
  ).annotate({ description: "The keys of the readable units." })
}).annotate({ identifier: "Access" })

/** The endpoints of effective access. */
export const effectiveAccessEndpoints = endpoints(
  "effectiveAccess",
  "The effective permissions of users, with the rules that grant them.",
  {
    "organization.member.access": list(Access),
    "repository.access.list": list(Access)
  }
)
