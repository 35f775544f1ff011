import { levelWords, visibilities } from "@slipway/access"
import { Setting } from "@slipway/domain"
import { scopeWords, teamVisibilities, unitKeys } from "@slipway/domain/forge/access"
import { OwnerName } from "@slipway/domain/forge/base"
import { ExternalTracker, ExternalWiki, InternalTracker, Preferences } from "@slipway/domain/forge/code"
import { organizationSettings } from "@slipway/domain/forge/identity"
import { DateTime, Option, Schema, SchemaGetter } from "effect"
import { encodedBy } from "../../encodedBy.ts"
import { responseFields } from "./settings.ts"

const time = Schema.String.annotate({ format: "date-time" })

// The result of a regular expression points to the whole text, which makes writing all of its JSON slow.
const toSecond = (text: string): string => {
  const point = text.indexOf(".", 19)
  if (point < 0) return text
  return text.endsWith("Z") ? [text.slice(0, point), "Z"].join("") : text.replace(/\.\d+(?=[+-]\d\d:\d\d$)/, "")
}

/** A point in time in responses, without fractions of a second. */
export const Moment = time
  .pipe(Schema.decodeTo(time, { decode: SchemaGetter.passthrough(), encode: SchemaGetter.transform(toSecond) }))
  .annotate({ [encodedBy]: toSecond })

/** The visibility of a resource. */
export const Visibility = Schema.Literals(visibilities)

/** The name of an access level, such as `read` or `write`. */
export const LevelWord = Schema.Literals(levelWords)

/** The name of a token's scope, such as `read:issue`. */
export const ScopeWord = Schema.Literals(scopeWords as readonly [(typeof scopeWords)[number]])

/** Returns the schema of an optional field of a request body; `null` is accepted and means omitted. */
export const optionalNullable = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

type WithoutNulls<T> = { readonly [K in keyof T]: Exclude<T[K], null> }

/** Removes the fields with the value `null` from a request body. */
export const withoutNulls = <T extends object>(body: T): WithoutNulls<T> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) as WithoutNulls<T>

/** The schema of a text with a maximum length in characters. */
export const text = Setting.boundedText

/** The schema of the title of an issue, a pull request or a milestone. */
export const title = text(255).check(
  Schema.makeFilter((value: string) => (value.trim() === "" ? "must not be empty" : undefined))
)

// Databases and other programs accept no other years.
const isWrittenYear = (date: DateTime.DateTime): boolean => {
  const year = DateTime.getPartUtc(date, "year")
  return year >= 1 && year <= 9_999
}

/** A date and time in a request, of the years 1 to 9999. */
export const Instant = Schema.String.check(
  Schema.makeFilter((value: string) =>
    /^\d{4}-/.test(value) && Option.exists(DateTime.make(value), isWrittenYear)
      ? undefined
      : "must be a date and time, such as 2030-01-31T12:00:00Z"
  )
)

/** A user as returned by the API; fields hidden from the caller are blank. */
export const User = Schema.Struct({
  id: Schema.Int,
  login: Schema.String,
  username: Schema.String,
  login_name: Schema.String,
  source_id: Schema.Int,
  full_name: Schema.String,
  email: Schema.String,
  avatar_url: Schema.String,
  html_url: Schema.String,
  language: Schema.String,
  is_admin: Schema.Boolean,
  last_login: Moment,
  created: Moment,
  restricted: Schema.Boolean,
  active: Schema.Boolean,
  prohibit_login: Schema.Boolean,
  location: Schema.String,
  website: Schema.String,
  description: Schema.String,
  visibility: Visibility,
  followers_count: Schema.Int,
  following_count: Schema.Int,
  starred_repos_count: Schema.Int
}).annotate({ identifier: "User" })

/** An email address as returned by the API. */
export const Email = Schema.Struct({
  email: Schema.String,
  verified: Schema.Boolean,
  primary: Schema.Boolean,
  user_id: Schema.Int,
  username: Schema.String
}).annotate({ identifier: "Email" })

const units = Schema.Record(Schema.String, LevelWord)

/** The caller's permissions on a repository: on its code, as administrator, and for each unit (code, issues, wiki…). */
export const Permission = Schema.Struct({
  admin: Schema.Boolean,
  push: Schema.Boolean,
  pull: Schema.Boolean,
  units: units.annotate({ description: "The level on each unit, by its key." })
}).annotate({ identifier: "Permission" })

/** An organization as returned by the API. */
export const Organization = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  username: Schema.String,
  avatar_url: Schema.String,
  ...responseFields(organizationSettings)
}).annotate({ identifier: "Organization" })

/** The visibility of a team to users other than its members and the owners of its organization. */
export const TeamVisibility = Schema.Literals(teamVisibilities)

const UnitKey = Schema.Literals(unitKeys)

/** A team as returned by the API; `permission` and `units` follow from `units_map`. */
export const Team = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  description: Schema.String,
  organization: Schema.optionalKey(Organization),
  includes_all_repositories: Schema.Boolean,
  can_create_org_repo: Schema.Boolean,
  permission: LevelWord.annotate({ description: "The lowest level of the team on a unit." }),
  units: Schema.Array(UnitKey),
  units_map: Schema.Record(Schema.String, LevelWord).annotate({ description: "The level on each unit, by its key." }),
  visibility: TeamVisibility
}).annotate({ identifier: "Team" })

/** The transfer offer of a repository, with sender and recipient: shown to its administrators and to the recipient. */
export const RepoTransfer = Schema.Struct({
  doer: User,
  recipient: User,
  teams: Schema.NullOr(Schema.Array(Team))
}).annotate({ identifier: "RepoTransfer" })

const repositoryFields = {
  id: Schema.Int,
  owner: User,
  name: Schema.String,
  full_name: Schema.String,
  description: Schema.String,
  empty: Schema.Boolean,
  private: Schema.Boolean,
  internal: Schema.Boolean,
  fork: Schema.Boolean,
  template: Schema.Boolean,
  mirror: Schema.Boolean,
  size: Schema.Int.annotate({ description: "In kibibytes." }),
  language: Schema.String,
  languages_url: Schema.String,
  html_url: Schema.String,
  url: Schema.String,
  link: Schema.String,
  ssh_url: Schema.String,
  clone_url: Schema.String,
  original_url: Schema.String,
  website: Schema.String,
  stars_count: Schema.Int,
  forks_count: Schema.Int,
  watchers_count: Schema.Int,
  open_issues_count: Schema.Int,
  open_pr_counter: Schema.Int,
  release_counter: Schema.Int,
  default_branch: Schema.String,
  archived: Schema.Boolean,
  archived_at: Moment,
  created_at: Moment,
  updated_at: Moment,
  permissions: Permission,
  has_code: Schema.Boolean,
  has_issues: Schema.Boolean,
  has_pull_requests: Schema.Boolean,
  has_releases: Schema.Boolean,
  has_wiki: Schema.Boolean,
  has_projects: Schema.Boolean,
  has_packages: Schema.Boolean,
  has_actions: Schema.Boolean,
  ...Preferences.fields,
  internal_tracker: Schema.optionalKey(InternalTracker).annotate({ description: "Set if issues are internal." }),
  external_tracker: Schema.optionalKey(ExternalTracker).annotate({ description: "Set if issues are external." }),
  external_wiki: Schema.optionalKey(ExternalWiki).annotate({ description: "Set if the wiki is external." }),
  avatar_url: Schema.String,
  mirror_interval: Schema.String,
  mirror_updated: Moment,
  object_format_name: Schema.Literals(["sha1", "sha256"]),
  topics: Schema.Array(Schema.String),
  licenses: Schema.Array(Schema.String)
}

/** The parent repository of a fork, as returned within the fork. */
export const ParentRepository = Schema.Struct({
  ...repositoryFields,
  parent: Schema.Null,
  repo_transfer: Schema.Null
}).annotate({ identifier: "ParentRepository" })

/** A repository as returned by the API, with the caller's permissions. */
export const Repository = Schema.Struct({
  ...repositoryFields,
  parent: Schema.NullOr(ParentRepository).annotate({
    description: "The repository that it was forked from, if the caller can read it."
  }),
  repo_transfer: Schema.NullOr(RepoTransfer)
}).annotate({ identifier: "Repository" })

/** An access token as returned by the API; `sha1` is its text, only in the answer that creates it. */
export const AccessToken = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  sha1: Schema.String,
  token_last_eight: Schema.String,
  scopes: Schema.Array(Schema.String),
  created_at: Moment,
  last_used_at: Schema.optionalKey(Moment),
  expires_at: Schema.optionalKey(Moment)
}).annotate({ identifier: "AccessToken" })

/** A label of an organization or of a repository as returned by the API. */
export const Label = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  color: Schema.String.annotate({ description: "Six hexadecimal digits." }),
  description: Schema.String,
  exclusive: Schema.Boolean,
  is_archived: Schema.Boolean,
  url: Schema.String
}).annotate({ identifier: "Label" })

/** The path parameter with the name of a user. */
export const userParams = { username: Schema.String }

/** The path parameter with the name of an organization. */
export const organizationParams = { org: Schema.String }

const whole = Schema.NumberFromString.check(
  Schema.makeFilter((value: number) => {
    if (Number.isSafeInteger(value)) return undefined
    return Number.isInteger(value) ? "is too large a number" : "must be a whole number"
  })
)

/** The pagination parameters of a list. */
export const pageQuery = {
  page: Schema.optionalKey(whole.annotate({ description: "The page, counted from 1." })),
  limit: Schema.optionalKey(whole.annotate({ description: "The page size, capped at the maximum." })),
  cursor: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(2_000)).annotate({
      description: "A cursor into the list: `Link` contains it where page numbers end."
    })
  )
}

/** The schema of a boolean query parameter. */
export const QueryFlag = Schema.Literals(["true", "false", "1", "0"])

/** Returns whether a query flag is true. */
export const isYes = (flag: typeof QueryFlag.Type | undefined): boolean => flag === "true" || flag === "1"

/** The schema of a numeric query parameter. */
export const QueryNumber = whole

/** The name of a user. */
export const UserName = OwnerName
