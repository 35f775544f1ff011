import type { CopiedService } from "@slipway/domain/forge/integrations"
import { OtherForges, type Remote, RemoteFailed } from "@slipway/domain/forge/integrations"
import { Effect, Redacted, Schema } from "effect"
import { Base64 } from "effect/encoding"

const perPage = 50
/** How many resources of one type are copied. */
const mostRows = 20_000
/** The maximum total text length of one resource type in characters; the texts are in memory until they are stored. */
const mostText = 64 * 1_024 * 1_024

/** A repository at another host's API. */
export interface OtherForge {
  readonly service: CopiedService
  readonly remote: Remote
}

/** Returns whether a path segment is a dot segment, also after removing `.git`. */
const isDots = (part: string): boolean => /^(?:\.|%2e){1,2}$/i.test(part)

/**
 * Returns the API URL of a repository at another host; undefined if the address does not name a repository.
 *
 * @example
 * apiOf("gitea", "https://git.example/forge/ann/app.git") // => "https://git.example/forge/api/v1/repos/ann/app"
 * apiOf("github", "https://github.com/ann/app") // => "https://api.github.com/repos/ann/app"
 * apiOf("github", "https://github.example/ann/app.git") // => "https://github.example/api/v3/repos/ann/app"
 * apiOf("gitlab", "https://gitlab.example/group/part/app.git") // => "https://gitlab.example/api/v4/projects/group%2Fpart%2Fapp"
 * apiOf("gitea", "https://git.example/app.git") // => undefined
 * apiOf("gitea", "https://git.example/ann/...git") // => undefined
 */
export const apiOf = (service: CopiedService, address: string): string | undefined => {
  const { hostname, origin, pathname } = new URL(address)
  const parts = pathname
    .replace(/(?:\.git)?\/*$/, "")
    .split("/")
    .filter((part) => part !== "")
  const [owner, name] = [parts.at(-2), parts.at(-1)]
  if (owner === undefined || name === undefined || isDots(owner) || isDots(name)) return undefined
  if (service === "gitlab") return `${origin}/api/v4/projects/${parts.join("%2F")}`
  const root = [origin, ...parts.slice(0, -2)].join("/")
  if (service === "gitea") return `${root}/api/v1/repos/${owner}/${name}`
  return `${hostname === "github.com" ? "https://api.github.com" : `${root}/api/v3`}/repos/${owner}/${name}`
}

const originOf = (url: string | undefined) => (url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined)

const basicOf = ({ account }: Remote) =>
  account && Redacted.make(`Basic ${Base64.encode(`${account.username}:${Redacted.value(account.password)}`)}`)

/** Returns the basic authentication header for a URL; undefined if the URL has another origin than the repository. */
export const basicFor = (remote: Remote, asked: string) =>
  originOf(asked) !== undefined && originOf(asked) === originOf(remote.url) ? basicOf(remote) : undefined

/** Returns the authorization header for a URL; undefined if the URL has another origin than API and repository. */
export const authorizationFor = ({ remote, service }: OtherForge, asked: string) => {
  const origin = originOf(asked)
  if (origin === undefined) return undefined
  if (origin !== originOf(remote.url) && origin !== originOf(apiOf(service, remote.url))) return undefined
  if (service !== "gitlab") return basicOf(remote)
  // GitLab accepts only tokens.
  return remote.account && Redacted.make(`Bearer ${Redacted.value(remote.account.password)}`)
}

/** Makes the error for a repository that cannot be copied from another host; `because` is the reason. */
export const remoteFailed = (because: string) => new RemoteFailed({ because })

const wordOf = (path: string): string => path.replace(/\?.*/, "")

const tooMany = (path: string) => remoteFailed(`the repository has more ${wordOf(path)} than a migration copies`)

/** Fails if the list at `path` has more rows than a migration copies; otherwise returns the rows. */
export const requireFewRows = <A>(path: string, rows: ReadonlyArray<A>) =>
  rows.length > mostRows ? Effect.fail(tooMany(path)) : Effect.succeed(rows)

const requestPath = Effect.fnUntraced(function* (forge: OtherForge, path: string) {
  const root = apiOf(forge.service, forge.remote.url)
  if (root === undefined) return yield* remoteFailed("the address names no owner and repository")
  const url = `${root}/${path}`
  return yield* (yield* OtherForges).read({ url, authorization: authorizationFor(forge, url) })
})

const misread = (path: string) => () =>
  remoteFailed(`the API of the other host returns an unexpected response for ${wordOf(path)}`)

/** Reads one resource from another host's API. */
export const readOne = <A>(schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return Effect.fnUntraced(function* (forge: OtherForge, path: string) {
    return yield* Effect.mapError(decode(yield* requestPath(forge, path)), misread(path))
  })
}

/**
 * Reads all rows of a list, page by page; with `isShort`, only one page.
 *
 * A row can occur twice if rows are inserted at the other host meanwhile.
 */
export const readAll = <A>(schema: Schema.Codec<A, unknown>, isShort = false) => {
  const readPage = readOne(Schema.Array(schema))
  return Effect.fnUntraced(function* (forge: OtherForge, path: string) {
    const rows: Array<A> = []
    const limit = forge.service === "gitea" ? "limit" : "per_page"
    for (let page = 1, text = 0; ; page++) {
      const some = yield* readPage(forge, `${path}${path.includes("?") ? "&" : "?"}${limit}=${perPage}&page=${page}`)
      if (some.length === 0) return rows
      rows.push(...some)
      if (isShort) return rows
      text += JSON.stringify(some).length
      if (rows.length > mostRows || text > mostText) return yield* tooMany(path)
    }
  })
}
