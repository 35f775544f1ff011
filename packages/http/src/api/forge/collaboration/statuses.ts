import { commitStates } from "@slipway/domain/forge/collaboration"
import { Schema } from "effect"
import { create, endpoints, list, read } from "../base/endpoints.ts"
import { Moment, optionalNullable, pageQuery, Repository, text, User } from "../base/schemas.ts"

const State = Schema.Literals(commitStates)

/** The result of a check for a commit. */
export const CommitStatus = Schema.Struct({
  id: Schema.Int,
  status: State,
  target_url: Schema.String,
  description: Schema.String,
  url: Schema.String,
  context: Schema.String,
  creator: Schema.NullOr(User),
  created_at: Moment,
  updated_at: Moment
}).annotate({ identifier: "CommitStatus" })

/** The combined result of all checks for a commit. */
export const CombinedStatus = Schema.Struct({
  state: State,
  sha: Schema.String,
  total_count: Schema.Int,
  statuses: Schema.Array(CommitStatus),
  repository: Repository,
  commit_url: Schema.String,
  url: Schema.String
}).annotate({ identifier: "CombinedStatus" })

const WebAddress = text(2_048).check(
  Schema.makeFilter((value: string) =>
    value === "" || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))
      ? undefined
      : "must be an address of the web"
  )
)

/** The request body that sets a status of a commit. */
export const CreateStatusOption = Schema.Struct({
  state: State,
  context: optionalNullable(text(255)),
  description: optionalNullable(text(2_048)),
  target_url: optionalNullable(WebAddress)
}).annotate({ identifier: "CreateStatusOption" })

const query = {
  sort: Schema.optionalKey(Schema.Literals(["oldest", "recentupdate", "leastupdate", "leastindex", "highestindex"])),
  state: Schema.optionalKey(State)
}

/** The endpoints of the results of checks for commits. */
export const statusEndpoints = endpoints("statuses", "Statuses of commits, which checks report.", {
  "repository.status.list": list(CommitStatus, { query }),
  "repository.status.create": create(CommitStatus, { body: CreateStatusOption }),
  "repository.commit.status.list": list(CommitStatus, { query }),
  "repository.commit.status.combined": read(CombinedStatus, { query: pageQuery })
})
