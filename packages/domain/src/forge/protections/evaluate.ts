import { isBranchName } from "../../branches.ts"
import type { AllowedPeople, BranchProtection, Permitted, PermittedPush } from "./BranchProtection.ts"
import { fileMatcher, isExact, nameMatcher } from "./patterns.ts"
import type { ChangeContents, RefChange, RefChanger, RefDecision, RefusalReason } from "./refChange.ts"
import type { TagProtection } from "./TagProtection.ts"

/** The rules of a repository by which changes of its refs are decided. */
export interface RefRules {
  readonly branches: ReadonlyArray<BranchProtection>
  readonly tags: ReadonlyArray<TagProtection>
  readonly defaultBranch: string
}

const heads = "refs/heads/"
const tagRefs = "refs/tags/"
const open = [heads, tagRefs, "refs/notes/"]

/** Returns the protection of a branch: of those that match the first by priority, names before globs; nothing when none does. */
export const protectionOf = (
  protections: ReadonlyArray<BranchProtection>,
  branch: string
): BranchProtection | undefined =>
  protections
    .filter(({ ruleName }) => nameMatcher(ruleName)(branch))
    .sort(
      (one, other) =>
        one.priority - other.priority ||
        Number(isExact(other.ruleName)) - Number(isExact(one.ruleName)) ||
        one.id - other.id
    )[0]

const isAmong = ({ teams, users }: AllowedPeople, who: RefChanger): boolean =>
  (who.userId !== undefined && users.includes(who.userId)) || who.teams.some((team) => teams.includes(team))

/** Tells whether something that may be limited is left to somebody. */
export const isPermitted = ({ allowed, limited }: Permitted, who: RefChanger): boolean =>
  !limited || isAmong(allowed, who)

/** Tells whether a protection lets somebody push, whatever they change. */
export const mayPush = (push: PermittedPush, who: RefChanger): boolean =>
  push.enabled && (who.deployKey ? !push.limited || push.deployKeys : isPermitted(push, who))

/** What has to be read of a change before it can be decided. */
export interface ContentsNeeded {
  readonly forced: boolean
  readonly files: boolean
  readonly signatures: boolean
}

/** Returns what the rules ask about the contents of a change, so that nothing else is read. */
export const contentsNeeded = (rules: RefRules, { after, before, ref }: RefChange): ContentsNeeded => {
  const protection = ref.startsWith(heads) ? protectionOf(rules.branches, ref.slice(heads.length)) : undefined
  if (protection === undefined || after === undefined) return { forced: false, files: false, signatures: false }
  return {
    forced: before !== undefined,
    files: protection.protectedFiles !== "" || protection.unprotectedFiles !== "",
    signatures: protection.requireSignedCommits
  }
}

const changeBranch = (
  protection: BranchProtection,
  who: RefChanger,
  { after, before }: RefChange,
  { files, forced, unsigned }: ChangeContents
): readonly [RefusalReason, string?] | undefined => {
  if (after === undefined) return ["deletion"]
  const isForced = before !== undefined && forced !== false
  if (isForced && !(mayPush(protection.forcePush, who) && mayPush(protection.push, who))) return ["force-push"]
  if (!mayPush(protection.push, who)) {
    const isFree = fileMatcher(protection.unprotectedFiles)
    // Who may not push may still change what is left to everybody, and that alone.
    if (files === undefined || files.length === 0 || !files.every(isFree)) return ["push"]
  }
  if (protection.protectedFiles !== "") {
    if (files === undefined) return ["protected-file", "among so many that they were not looked at"]
    const file = files.find(fileMatcher(protection.protectedFiles, true))
    if (file !== undefined) return ["protected-file", file]
  }
  if (protection.requireSignedCommits && unsigned !== null) return ["signature", unsigned ?? "one of the commits"]
  return undefined
}

/** Returns the tag protection that refuses somebody a tag: one that matches, unless another that matches allows them. */
const refusingTag = (tags: ReadonlyArray<TagProtection>, who: RefChanger, tag: string): TagProtection | undefined => {
  const matching = tags.filter(({ namePattern }) => nameMatcher(namePattern)(tag))
  return matching.some(({ allowed }) => isAmong(allowed, who)) ? undefined : matching[0]
}

/**
 * Decides whether somebody who may write the code, or a branch that is lent to them, may change one ref.
 *
 * Every ref is decided by itself, by the rules that match its own name (invariant I18). Pushes, the API and merges ask
 * the same question. Administrators are held to it too: they may change the rules instead.
 */
export const evaluateRefChange = (
  rules: RefRules,
  who: RefChanger,
  change: RefChange,
  contents: ChangeContents
): RefDecision => {
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
  // What has a bad name already can still be deleted.
  if (after !== undefined && (!isBranchName(name) || name === "HEAD")) return refuse("name")
  if (space === heads) {
    if (after === undefined && name === rules.defaultBranch) return refuse("default-branch")
    const protection = protectionOf(rules.branches, name)
    const refusal = protection && changeBranch(protection, who, change, contents)
    if (refusal !== undefined) return refuse(refusal[0], protection?.ruleName, refusal[1])
  }
  if (space === tagRefs) {
    const protection = refusingTag(rules.tags, who, name)
    if (protection !== undefined) return refuse("tag", protection.namePattern)
  }
  return { allowed: true, ref }
}
