import { Effect } from "effect"
import { isBranchName, isNewBranchName } from "../../../branches.ts"
import {
  inTurns,
  isExact,
  isRead,
  nameMatcher,
  notFreeAmong,
  type Pieces,
  protectedAmong,
  runSynchronously
} from "../patterns/patterns.ts"
import type { AllowedPeople, BranchProtection, Permitted, PermittedPush } from "./BranchProtection.ts"
import type { ChangeContents, RefChange, RefChanger, RefDecision, RefusalReason } from "./refChange.ts"
import type { TagProtection } from "./TagProtection.ts"

/** The branch and tag protections of a repository and its default branch, which decide changes of refs. */
export interface RefRules {
  readonly branches: ReadonlyArray<BranchProtection>
  readonly tags: ReadonlyArray<TagProtection>
  readonly defaultBranch: string
}

const heads = "refs/heads/"
const tagRefs = "refs/tags/"
const open = [heads, tagRefs, "refs/notes/"]

const matchers = new WeakMap<BranchProtection | TagProtection, (name: string) => boolean>()

const patternOf = (protection: BranchProtection | TagProtection): string =>
  "ruleName" in protection ? protection.ruleName : protection.namePattern

/** Returns whether a protection applies to a branch or tag name; caches the compiled pattern. */
const matches = (protection: BranchProtection | TagProtection, name: string): boolean => {
  let matcher = matchers.get(protection)
  if (matcher === undefined) {
    matcher = nameMatcher(patternOf(protection), true)
    matchers.set(protection, matcher)
  }
  return matcher(name)
}

/**
 * Compiles the patterns of protections in advance, and lets other tasks run in between: a hundred patterns with braces
 * take half a second. Returns the protections.
 */
export const readPatterns = <P extends BranchProtection | TagProtection>(
  protections: ReadonlyArray<P>
): Effect.Effect<ReadonlyArray<P>> =>
  Effect.as(
    Effect.forEach(
      protections.filter((protection) => patternOf(protection).includes("{")),
      (protection) => Effect.andThen(Effect.yieldNow, () => Effect.sync(() => matches(protection, ""))),
      { discard: true }
    ),
    protections
  )

/**
 * Returns the protections that apply to a branch. Usually this is one: the matching protection with the smallest
 * priority number; with equal priority, exact names come before globs.
 *
 * A pattern that is too complex to evaluate counts as matching, and the next matching protection applies too.
 */
export const protectionsOf = (
  protections: ReadonlyArray<BranchProtection>,
  branch: string
): ReadonlyArray<BranchProtection> => {
  const matching = protections
    .filter((protection) => matches(protection, branch))
    .sort(
      (one, other) =>
        one.priority - other.priority ||
        Number(isExact(other.ruleName)) - Number(isExact(one.ruleName)) ||
        one.id - other.id
    )
  const sure = matching.findIndex(({ ruleName }) => isRead(ruleName))
  return sure < 0 ? matching : matching.slice(0, sure + 1)
}

/** Returns the protection of a branch, by priority; undefined if no protection matches. */
export const protectionOf = (
  protections: ReadonlyArray<BranchProtection>,
  branch: string
): BranchProtection | undefined => protectionsOf(protections, branch)[0]

const isAmong = ({ teams, users }: AllowedPeople, who: RefChanger): boolean =>
  (who.userId !== undefined && users.includes(who.userId)) || who.teams.some((team) => teams.includes(team))

/** Returns whether a user has a permission: it is not limited, or the user or one of the user's teams is allowed. */
export const isPermitted = ({ allowed, limited }: Permitted, who: RefChanger): boolean =>
  !limited || isAmong(allowed, who)

/** Returns whether a push permission of a protection permits a user or a deploy key to push. */
export const mayPush = (push: PermittedPush, who: RefChanger): boolean =>
  push.enabled && (who.deployKey ? !push.limited || push.deployKeys : isPermitted(push, who))

/** Returns whether a protection that applies to a branch requires signed commits. */
export const requiresSignatures = ({ branches }: RefRules, branch: string): boolean =>
  protectionsOf(branches, branch).some(({ requireSignedCommits }) => requireSignedCommits)

/** Which data about a ref change must be read from git before the decision. */
export interface ContentsNeeded {
  readonly forced: boolean
  readonly files: boolean
  readonly signatures: boolean
}

/** Returns which data about a ref change the rules need, so that no other data is read. */
export const contentsNeeded = (rules: RefRules, { after, before, ref }: RefChange): ContentsNeeded => {
  const protections = ref.startsWith(heads) ? protectionsOf(rules.branches, ref.slice(heads.length)) : []
  if (protections.length === 0 || after === undefined) return { forced: false, files: false, signatures: false }
  return {
    forced: before !== undefined,
    files: protections.some(({ protectedFiles, unprotectedFiles }) => protectedFiles !== "" || unprotectedFiles !== ""),
    signatures: requiresSignatures(rules, ref.slice(heads.length))
  }
}

function* changeBranch(
  protection: BranchProtection,
  who: RefChanger,
  { after, before }: RefChange,
  { files, forced, unsigned }: ChangeContents
): Pieces<readonly [RefusalReason, string?] | undefined> {
  if (after === undefined) return ["deletion"]
  const isForced = before !== undefined && forced !== false
  if (isForced && !(mayPush(protection.forcePush, who) && mayPush(protection.push, who))) return ["force-push"]
  if (!mayPush(protection.push, who)) {
    // A user without push permission can still change unprotected files, but only these.
    if (files === undefined || files.length === 0) return ["push"]
    if ((yield* notFreeAmong(protection.unprotectedFiles, files)) !== undefined) return ["push"]
  }
  if (protection.protectedFiles !== "") {
    if (files === undefined) return ["protected-file", "among too many files to check"]
    const file = yield* protectedAmong(protection.protectedFiles, files)
    if (file !== undefined) return ["protected-file", file]
  }
  if (protection.requireSignedCommits && unsigned !== null) return ["signature", unsigned ?? "one of the commits"]
  return undefined
}

const isSure = ({ namePattern }: TagProtection): boolean => isRead(namePattern)

/** Returns the tag protection that denies a user the change of a tag; undefined if a matching protection allows it. */
const refusingTag = (tags: ReadonlyArray<TagProtection>, who: RefChanger, tag: string): TagProtection | undefined => {
  const matching = tags.filter((protection) => matches(protection, tag))
  // It is unknown whether a pattern that was not evaluated matches, so it allows nothing that another one denies.
  const [sure, open] = [matching.filter(isSure), matching.filter((each) => !isSure(each))]
  const refuses = ({ allowed }: TagProtection) => !isAmong(allowed, who)
  return open.find(refuses) ?? (sure.every(refuses) ? sure[0] : undefined)
}

function* decided(rules: RefRules, who: RefChanger, change: RefChange, contents: ChangeContents): Pieces<RefDecision> {
  const { after, before, ref } = change
  const refuse = (reason: RefusalReason, rule?: string, subject?: string): RefDecision => ({
    allowed: false,
    ref,
    rule,
    reason,
    subject
  })
  if (who.lent !== undefined) {
    const isThere = before !== undefined && after !== undefined
    if (!isThere || !who.lent.some((branch) => ref === `${heads}${branch}`)) return refuse("lent")
  }
  const space = open.find((each) => ref.startsWith(each))
  if (space === undefined) return refuse("namespace")
  const name = ref.slice(space.length)
  // An existing branch with an invalid name can still be deleted.
  const isValid = before === undefined ? isNewBranchName(name) : isBranchName(name)
  if (after !== undefined && (!isValid || name === "HEAD")) return refuse("name")
  if (space === heads) {
    if (after === undefined && name === rules.defaultBranch) return refuse("default-branch")
    for (const protection of protectionsOf(rules.branches, name)) {
      const refusal = yield* changeBranch(protection, who, change, contents)
      if (refusal !== undefined) return refuse(refusal[0], protection.ruleName, refusal[1])
    }
  }
  if (space === tagRefs) {
    const protection = refusingTag(rules.tags, who, name)
    if (protection !== undefined) return refuse("tag", protection.namePattern)
  }
  return { allowed: true, ref }
}

/**
 * Decides whether the protections of a repository permit a user to change one ref. The caller has already checked that
 * the user has write access, or may push to the branch of a pull request that allows edits.
 *
 * Each ref is decided separately, by the protections that match its name (invariant I18). Pushes, the API and merges
 * use the same decision. It also applies to administrators, who can change the protections instead.
 */
export const evaluateRefChange = (
  rules: RefRules,
  who: RefChanger,
  change: RefChange,
  contents: ChangeContents
): RefDecision => runSynchronously(decided(rules, who, change, contents))

/** Decides like {@link evaluateRefChange}, but lets other tasks of the process run while it matches many files. */
export const decideRefChange = (
  rules: RefRules,
  who: RefChanger,
  change: RefChange,
  contents: ChangeContents
): Effect.Effect<RefDecision> => inTurns(() => decided(rules, who, change, contents))
