import { AccessPreview } from "@slipway/domain/forge"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "./access.ts"
import { NotFoundBody } from "./errors.ts"
import { LevelWord, pageQuery, QueryFlag } from "./schemas.ts"

const person = Schema.Struct({ id: Schema.Int, login: Schema.String, full_name: Schema.String })
const place = Schema.Struct({ id: Schema.Int, full_name: Schema.String, private: Schema.Boolean })

const Step = Schema.Struct({ before: LevelWord, after: LevelWord })

/** The effective access of a user to a repository, unit by unit, with the rules and the teams that give it. */
export const Access = Schema.Struct({
  user: person,
  repository: place,
  permission: LevelWord,
  units: Schema.Record(
    Schema.String,
    Schema.Struct({
      level: LevelWord,
      by: Schema.Array(
        Schema.Struct({ rule: Schema.String, because: Schema.String, teams: Schema.Array(Schema.String) })
      )
    })
  ).annotate({ description: "The units that are open, by their keys." })
}).annotate({ identifier: "Access" })

/** What somebody, a user or everybody of an audience, would lose and gain on a repository. */
export const AccessChange = Schema.Struct({
  user: Schema.optionalKey(person),
  audience: Schema.optionalKey(Schema.Literals(AccessPreview.audiences)),
  repository: place,
  loses: Schema.Boolean,
  gains: Schema.Boolean,
  permission: Step,
  units: Schema.Record(Schema.String, Step).annotate({ description: "The units whose level would be another." })
}).annotate({ identifier: "AccessChange" })

/** What a preview answers. */
export const AccessChanges = Schema.Array(AccessChange)

/** Asks what a change would give and take, in place of making it. */
export const dryRunQuery = {
  dry_run: Schema.optionalKey(
    QueryFlag.annotate({ description: "Answers 200 with who would lose and gain what, and changes nothing." })
  ),
  ...pageQuery
}

/** The endpoints of effective access. */
export class EffectiveAccessApi extends HttpApiGroup.make("effectiveAccess")
  .add(
    HttpApiEndpoint.get("ofMember", "/orgs/:org/members/:username/access", {
      params: { org: Schema.String, username: Schema.String },
      query: pageQuery,
      success: Schema.Array(Access),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "List the access of a user in an organization, and why")
      .pipe(access("organization.member.access")),
    HttpApiEndpoint.get("ofRepository", "/repos/:username/:reponame/access", {
      params: { username: Schema.String, reponame: Schema.String },
      query: pageQuery,
      success: Schema.Array(Access)
    })
      .annotate(OpenApi.Summary, "List who has access to a repository, at which level, and why")
      .pipe(access("repository.access.list"))
  )
  .annotate(OpenApi.Description, "Who reaches what, and by which rule.") {}
