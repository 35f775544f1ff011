/*
 * This file imports nothing, so that a renderer can load it in a separate thread without the rest of the domain.
 */

/** The effect of a reference when its commit or pull request is merged: the referenced issue closes or reopens. */
export type Intent = "closes" | "reopens"

/** A reference to a resource, as written in the text. */
export type Reference =
  | {
      readonly kind: "issue"
      /** The repository, as `owner/repository`; undefined for the repository that the text belongs to. */
      readonly repository: string | undefined
      /** Whether the reference is written with `!` in place of `#`, so that it can only refer to a pull request. */
      readonly pull: boolean
      readonly index: number
      readonly intent: Intent | undefined
    }
  | { readonly kind: "commit"; readonly repository: string | undefined; readonly commit: string }
  | { readonly kind: "user"; readonly name: string }
  | { readonly kind: "team"; readonly organization: string; readonly team: string }

/** A reference, such as `#7` or `@bob`, with its position in a text. */
export interface FoundReference {
  readonly reference: Reference
  readonly start: number
  readonly end: number
}

/** The maximum number of distinct references in one text that become links; further references stay plain text. */
export const mostReferences = 250

const name = "[A-Za-z0-9](?:[A-Za-z0-9]|[._-](?=[A-Za-z0-9]))"
const owner = `${name}{0,39}`
const repository = "[A-Za-z0-9_.-]{1,100}"
// A name starts at a word boundary: parts of URLs, email addresses and escaped characters are not references.
const start = String.raw`(?<![\p{L}\p{N}_/@#!&=.:\\+-])`
const end = String.raw`(?![\p{L}\p{N}_])`
const closing = "clos(?:e[sd]?)|fix(?:e[sd])?|resolve[sd]?"
const reopening = "reopen(?:s|ed)?"

const pattern = new RegExp(
  [
    String.raw`(?:(?<intent>${closing}|${reopening}):?[ \t]{1,8})?(?:(?<where>${owner}/${repository}))?(?<mark>[#!])(?<index>[1-9]\d{0,9})${end}`,
    `(?:(?<home>${owner}/${repository})@)?(?<commit>[0-9a-f]{7,64})${end}`,
    String.raw`@(?<person>${owner})(?:/(?<team>${name}{0,99}))?(?![\p{L}\p{N}_/])`
  ]
    .map((each) => `${start}(?:${each})`)
    .join("|"),
  "giu"
)

const largestIndex = 2 ** 31 - 1

const referenceOf = (groups: Readonly<Record<string, string | undefined>>): Reference | undefined => {
  const { commit, home, index, intent, mark, person, team, where } = groups
  if (index !== undefined) {
    if (Number(index) > largestIndex) return undefined
    const meant = intent === undefined ? undefined : intent.toLowerCase().startsWith("reopen") ? "reopens" : "closes"
    return { kind: "issue", repository: where, pull: mark === "!", index: Number(index), intent: meant }
  }
  if (commit !== undefined) {
    // A number or a word is not a commit, unless it has full length or names its repository.
    const isLikely = /^(?=.*\d)(?=.*[a-f])/i.test(commit) || commit.length === 40 || home !== undefined
    return isLikely ? { kind: "commit", repository: home, commit: commit.toLowerCase() } : undefined
  }
  if (person === undefined) return undefined
  return team === undefined ? { kind: "user", name: person } : { kind: "team", organization: person, team }
}

/**
 * Finds the references in a text from which code was removed, in order. A closing keyword, as in `closes #7`, is part
 * of the reference.
 */
export const scan = (text: string): ReadonlyArray<FoundReference> => {
  const found: Array<FoundReference> = []
  for (const match of text.matchAll(pattern)) {
    const reference = referenceOf(match.groups ?? {})
    if (reference !== undefined) found.push({ reference, start: match.index, end: match.index + match[0].length })
  }
  return found
}

/**
 * Returns a key that identifies the referenced resource; it does not depend on case or on the closing keyword.
 *
 * @example
 * referenceKey({ kind: "issue", repository: "Acme/Site", pull: false, index: 7, intent: "closes" }) // => "acme/site#7"
 * referenceKey({ kind: "team", organization: "Acme", team: "Ops" }) // => "@acme/ops"
 */
export const referenceKey = (reference: Reference): string => {
  switch (reference.kind) {
    case "issue":
      return `${reference.repository?.toLowerCase() ?? ""}${reference.pull ? "!" : "#"}${reference.index}`
    case "commit":
      return `${reference.repository?.toLowerCase() ?? ""}@${reference.commit}`
    case "user":
      return `@${reference.name.toLowerCase()}`
    case "team":
      return `@${reference.organization.toLowerCase()}/${reference.team.toLowerCase()}`
  }
}
