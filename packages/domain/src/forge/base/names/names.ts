import { Schema } from "effect"
import { nameKey } from "../../../Collection.ts"

/** The maximum length of the names of users and organizations, in characters. Source: decisions, "Names". */
export const longestName = 40

/** The names that users and organizations cannot have: URLs of the service begin with them, or they are keywords. */
export const reservedNames: ReadonlySet<string> = new Set([
  "admin",
  "api",
  "assets",
  "attachments",
  "avatar",
  "avatars",
  "docs",
  "explore",
  "favicon.ico",
  "ghost",
  "health",
  "healthz",
  "issues",
  "login",
  "manifest.json",
  "metrics",
  "milestones",
  "new",
  "nodeinfo",
  "notifications",
  "org",
  "orgs",
  "pulls",
  "raw",
  "readyz",
  "repo",
  "repos",
  "repositories",
  "robots.txt",
  "search",
  "slipway-actions",
  "swagger",
  "teams",
  "user",
  "users",
  "v2",
  "version"
])

/** The endings that names of users and organizations cannot have, such as `.keys`, because URLs use them. */
const reservedEndings: ReadonlyArray<string> = [".keys", ".gpg", ".rss", ".atom", ".png", ".git"]

/**
 * Returns the reason why a name is invalid; undefined if it is valid.
 *
 * A name consists of letters and digits, with single `-`, `_` or `.` between them, and has at most `longest`
 * characters.
 *
 * @example
 * nameProblem("a.-b", 40) // => "must not have two separators in a row"
 * nameProblem("bob", 40) // => undefined
 */
export const nameProblem = (name: string, longest: number): string | undefined => {
  if (name === "") return "must not be empty"
  if (name.length > longest) return `must have at most ${longest} characters`
  if (!/^[A-Za-z0-9._-]*$/.test(name)) return "may only contain letters, digits, `-`, `_` and `.`"
  if (/^[._-]|[._-]$/.test(name)) return "must begin and end with a letter or a digit"
  if (/[._-]{2}/.test(name)) return "must not have two separators in a row"
  return undefined
}

/** Returns the reason why the name of a user or an organization is invalid; undefined if it is valid. */
export const ownerNameProblem = (name: string): string | undefined => {
  const key = nameKey(name)
  return (
    nameProblem(name, longestName) ??
    (reservedNames.has(key) || reservedEndings.some((ending) => key.endsWith(ending)) ? "is reserved" : undefined)
  )
}

/** The schema of the name of a new user or organization in a request. */
export const OwnerName = Schema.String.check(Schema.makeFilter((name: string) => ownerNameProblem(name))).pipe(
  Schema.brand("OwnerName")
)
export type OwnerName = typeof OwnerName.Type
