import { Schema } from "effect"
import { isBranchName } from "../../../branches.ts"

/** The maximum length of a ref name, in characters. */
const longest = 300

/**
 * Returns whether a text is a valid full ref name, such as `refs/heads/main`; git cannot misread it as an option or a
 * range.
 *
 * ```ts
 * import { isRefName } from "./refNames.ts"
 *
 * isRefName("refs/heads/feature/login") // => true
 * isRefName("refs/tags/v1.0") // => true
 * isRefName("refs/heads/a..b") // => false
 * isRefName("refs/heads/") // => false
 * isRefName("refs/heads") // => false
 * isRefName("HEAD") // => false
 * isRefName("--upload-pack=x") // => false
 * isRefName("refs/heads/a\0b") // => false
 * ```
 */
export const isRefName = (text: string): boolean => {
  if (text.length > longest || !text.startsWith("refs/")) return false
  const rest = text.slice("refs/".length)
  const slash = rest.indexOf("/")
  const name = rest.slice(slash + 1)
  return slash > 0 && name !== "" && isBranchName(rest.slice(0, slash)) && isBranchName(name)
}

/** The schema of the full name of a ref. */
export const RefName = Schema.String.check(
  Schema.makeFilter((text: string) => (isRefName(text) ? undefined : "must be the full name of a ref"))
).pipe(Schema.brand("RefName"))
export type RefName = typeof RefName.Type

/** Returns the full ref name of a branch: `refs/heads/` and its name. */
export const branchRef = (name: string): RefName => RefName.make(`refs/heads/${name}`)

/** Returns the full ref name of a tag: `refs/tags/` and its name. */
export const tagRef = (name: string): RefName => RefName.make(`refs/tags/${name}`)

/** The namespaces below `refs/` that only the forge writes: pushes to them are rejected. */
export const reservedSpaces: ReadonlyArray<string> = ["refs/pull/", "refs/for/", "refs/slipway/"]

/**
 * Returns whether a ref is in a namespace that only the forge writes.
 *
 * ```ts
 * import { isReserved, RefName } from "./refNames.ts"
 *
 * isReserved(RefName.make("refs/pull/1/head")) // => true
 * isReserved(RefName.make("refs/heads/pull/1")) // => false
 * ```
 */
export const isReserved = (name: RefName): boolean => reservedSpaces.some((space) => name.startsWith(space))

/**
 * Returns whether a ref is only for temporary use inside the forge; such refs are hidden from all users.
 *
 * ```ts
 * import { isHidden } from "./refNames.ts"
 *
 * isHidden("refs/slipway/generated/1") // => true
 * isHidden("refs/pull/1/head") // => false
 * ```
 */
export const isHidden = (name: string): boolean => name.startsWith("refs/slipway/")

/**
 * Returns whether a push to a ref opens or updates a pull request, instead of writing the ref.
 *
 * ```ts
 * import { isProposal } from "./refNames.ts"
 *
 * isProposal("refs/for/main") // => true
 * isProposal("refs/heads/for/main") // => false
 * ```
 */
export const isProposal = (name: string): boolean => name.startsWith("refs/for/")

/** A ref, split into its type (branch, tag or other) and its short name. */
export interface RefParts {
  readonly kind: "branch" | "tag" | "other"
  readonly name: string
}

/**
 * Splits a full ref name into the type of the ref and its short name.
 *
 * ```ts
 * import { RefName, refParts } from "./refNames.ts"
 *
 * refParts(RefName.make("refs/heads/a/b")) // => { kind: "branch", name: "a/b" }
 * refParts(RefName.make("refs/tags/v1")) // => { kind: "tag", name: "v1" }
 * refParts(RefName.make("refs/notes/commits")) // => { kind: "other", name: "refs/notes/commits" }
 * ```
 */
export const refParts = (ref: RefName): RefParts => {
  if (ref.startsWith("refs/heads/")) return { kind: "branch", name: ref.slice("refs/heads/".length) }
  if (ref.startsWith("refs/tags/")) return { kind: "tag", name: ref.slice("refs/tags/".length) }
  return { kind: "other", name: ref }
}

const steps = /(?:~\d{0,6}|\^\d{0,2})+$/

/**
 * Returns whether a text is a revision that the forge accepts: a branch, a tag, a full ref, `HEAD`, or at least four
 * digits of an object id. Steps such as `~2` and `^` may follow.
 *
 * ```ts
 * import { isRevision } from "./refNames.ts"
 *
 * isRevision("main") // => true
 * isRevision("refs/pull/1/head") // => true
 * isRevision("HEAD~2^") // => true
 * isRevision("deadbeef") // => true
 * isRevision("main:README.md") // => false
 * isRevision("main@{yesterday}") // => false
 * isRevision("main^{/fix}") // => false
 * isRevision("a..b") // => false
 * isRevision("--all") // => false
 * isRevision("") // => false
 * ```
 */
export const isRevision = (text: string): boolean => {
  const base = text.replace(steps, "")
  return base === "HEAD" || (base !== "" && (isBranchName(base) || isRefName(base)))
}

/** The schema of a revision: a name of a commit, as `isRevision` accepts it. */
export const Revision = Schema.String.check(
  Schema.makeFilter((text: string) => (isRevision(text) ? undefined : "must be a revision"))
).pipe(Schema.brand("Revision"))
export type Revision = typeof Revision.Type

/**
 * Splits a revision into its base (a ref or object id) and the steps after it, such as `~2^`.
 *
 * ```ts
 * import { Revision, revisionParts } from "./refNames.ts"
 *
 * revisionParts(Revision.make("main~2^")) // => { base: "main", steps: "~2^" }
 * revisionParts(Revision.make("v1.0")) // => { base: "v1.0", steps: "" }
 * ```
 */
export const revisionParts = (revision: Revision): { readonly base: string; readonly steps: string } => {
  const found = steps.exec(revision)?.[0] ?? ""
  return { base: revision.slice(0, revision.length - found.length), steps: found }
}
