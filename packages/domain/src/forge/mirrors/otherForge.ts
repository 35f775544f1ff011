import { DateTime, Effect, Option, Schema } from "effect"
import type { CopiedService } from "./Copying.ts"
import { type Remote, RemoteFailed } from "./GitRemotes.ts"
import { OtherForges } from "./OtherForges.ts"

const perPage = 50
/** How many things of one kind are copied. */
const mostRows = 20_000
/** How many characters the texts of one kind have together, which lie in memory until they are stored. */
const mostText = 64 * 1_024 * 1_024
const longestText = 262_144

const opt = <S extends Schema.Top>(schema: S) => Schema.optional(Schema.NullOr(schema))
const Text = opt(Schema.String)

const Person = Schema.Struct({ id: Schema.Int, login: Schema.String })

const OtherLabel = Schema.Struct({
  name: Schema.String,
  color: Schema.String,
  description: Text,
  exclusive: opt(Schema.Boolean),
  is_archived: opt(Schema.Boolean)
})

const OtherMilestone = Schema.Struct({
  title: Schema.String,
  description: Text,
  state: Schema.Literals(["open", "closed"]),
  due_on: Text,
  closed_at: Text,
  created_at: Text,
  updated_at: Text
})

const OtherIssue = Schema.Struct({
  id: Schema.Int,
  number: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000_000 })),
  title: Schema.String,
  body: Text,
  state: Schema.Literals(["open", "closed"]),
  user: opt(Person),
  original_author: Text,
  original_author_id: opt(Schema.Int),
  ref: Text,
  labels: opt(Schema.Array(Schema.Struct({ name: Schema.String }))),
  milestone: opt(Schema.Struct({ title: Schema.String })),
  is_locked: opt(Schema.Boolean),
  locked: opt(Schema.Boolean),
  due_date: Text,
  closed_at: Text,
  created_at: Text,
  updated_at: Text,
  pull_request: opt(Schema.Struct({ merged_at: Text }))
})

const Side = Schema.Struct({
  ref: Schema.String,
  sha: Text,
  repo_id: opt(Schema.Int),
  repo: opt(Schema.Struct({ id: Schema.Int, owner: opt(Schema.Struct({ login: Schema.String })) }))
})

const OtherPull = Schema.Struct({
  number: Schema.Int,
  head: Side,
  base: Side,
  merged_at: Text,
  merge_commit_sha: Text,
  merge_base: Text,
  allow_maintainer_edit: opt(Schema.Boolean)
})

const OtherComment = Schema.Struct({
  id: Schema.Int,
  body: Text,
  user: opt(Person),
  original_author: Text,
  original_author_id: opt(Schema.Int),
  issue_url: Text,
  pull_request_url: Text,
  created_at: Text,
  updated_at: Text
})

const OtherRelease = Schema.Struct({
  tag_name: Schema.String,
  target_commitish: Text,
  name: Text,
  body: Text,
  draft: opt(Schema.Boolean),
  prerelease: opt(Schema.Boolean),
  created_at: Text,
  published_at: Text
})

/** A repository at another host, as its API names it. */
export interface OtherForge {
  readonly service: CopiedService
  readonly remote: Remote
}

/**
 * Returns where the API of another host tells of a repository, or nothing where its address names none.
 *
 * @example
 * apiOf("gitea", "https://git.example/forge/ann/app.git") // => "https://git.example/forge/api/v1/repos/ann/app"
 * apiOf("github", "https://github.com/ann/app") // => "https://api.github.com/repos/ann/app"
 * apiOf("github", "https://github.example/ann/app.git") // => "https://github.example/api/v3/repos/ann/app"
 * apiOf("gitea", "https://git.example/app.git") // => undefined
 */
export const apiOf = (service: CopiedService, address: string): string | undefined => {
  const { hostname, origin, pathname } = new URL(address)
  const parts = pathname.split("/").filter((part) => part !== "")
  const [owner, name] = [parts.at(-2), parts.at(-1)?.replace(/\.git$/, "")]
  if (owner === undefined || name === undefined || name === "") return undefined
  const root = [origin, ...parts.slice(0, -2)].join("/")
  if (service === "gitea") return `${root}/api/v1/repos/${owner}/${name}`
  return `${hostname === "github.com" ? "https://api.github.com" : `${root}/api/v3`}/repos/${owner}/${name}`
}

/** Returns a text as it is kept. */
export const keptText = (text: string | null | undefined): string =>
  (text ?? "").slice(0, longestText).replaceAll("\0", "\ufffd").toWellFormed()

/**
 * Returns a moment as it is kept, or nothing where there is none; hosts write years before any of them was there for none.
 *
 * @example
 * keptTime("2026-01-02T03:04:05+01:00") // => "2026-01-02T02:04:05.000Z"
 * keptTime("0001-01-01T00:00:00Z") // => undefined
 */
export const keptTime = (text: string | null | undefined): string | undefined => {
  const at = text ? Option.map(DateTime.make(text), DateTime.formatIso) : Option.none()
  return Option.getOrUndefined(Option.filter(at, (iso) => iso >= "1970" && iso < "9999"))
}

const failing = (because: string) => new RemoteFailed({ because })

/** Reads all rows of a list, page by page; who adds to it meanwhile may show a row twice. */
const readAll = <A, R>(schema: Schema.Codec<A, unknown, R>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(schema))
  return Effect.fnUntraced(function* ({ remote, service }: OtherForge, path: string) {
    const root = apiOf(service, remote.url)
    if (root === undefined) return yield* failing("the address names no owner and repository")
    const { read } = yield* OtherForges
    const rows: Array<A> = []
    const limit = service === "gitea" ? "limit" : "per_page"
    for (let page = 1, text = 0; ; page++) {
      const url = `${root}/${path}${path.includes("?") ? "&" : "?"}${limit}=${perPage}&page=${page}`
      const answer = yield* read(url, remote.account)
      const some = yield* Effect.mapError(decode(answer), () =>
        failing(`the other host's API doesn't answer as it should at ${path.replace(/\?.*/, "")}`)
      )
      if (some.length === 0) return rows
      rows.push(...some)
      text += JSON.stringify(some).length
      if (rows.length > mostRows || text > mostText) {
        return yield* failing(`the repository has more ${path.replace(/\?.*/, "")} than are copied`)
      }
    }
  })
}

/** Reads the labels of a repository at another host. */
export const readLabels = (forge: OtherForge) => readAll(OtherLabel)(forge, "labels")
/** Reads the milestones of a repository at another host. */
export const readMilestones = (forge: OtherForge) => readAll(OtherMilestone)(forge, "milestones?state=all")
/** Reads the issues and pull requests of a repository at another host. */
export const readIssues = (forge: OtherForge) => readAll(OtherIssue)(forge, "issues?state=all")
/** Reads what pull requests have besides of a repository at another host. */
export const readPulls = (forge: OtherForge) => readAll(OtherPull)(forge, "pulls?state=all")
/** Reads the comments below issues and pull requests of a repository at another host. */
export const readComments = (forge: OtherForge) => readAll(OtherComment)(forge, "issues/comments")
/** Reads the releases of a repository at another host. */
export const readReleases = (forge: OtherForge) => readAll(OtherRelease)(forge, "releases")

/** An issue or a pull request at another host. */
export type OtherIssue = typeof OtherIssue.Type
/** What a pull request at another host has besides. */
export type OtherPull = typeof OtherPull.Type
/** A comment at another host. */
export type OtherComment = typeof OtherComment.Type
