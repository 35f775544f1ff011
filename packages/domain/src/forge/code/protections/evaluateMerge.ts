import type { Effect } from "effect"
import { inTurns, type Pieces, protectedAmong, runSynchronously, textMatcher } from "../patterns/patterns.ts"
import type { BranchProtection, Permitted } from "./BranchProtection.ts"
import type { RefChanger } from "./refChange.ts"

/** The last review of a reviewer: its verdict, and whether it is stale (commits were added after it) or dismissed. */
export interface CountedReview {
  readonly reviewer: RefChanger
  readonly verdict: "approved" | "rejected"
  readonly stale: boolean
  readonly dismissed: boolean
}

/** The state of a status check on the newest commit of a pull request. */
export interface CountedStatus {
  readonly context: string
  readonly state: "success" | "pending" | "error" | "failure" | "warning" | "skipped"
}

/** The data about a pull request that decides whether a branch protection allows its merge. */
export interface MergeRequest {
  readonly reviews: ReadonlyArray<CountedReview>
  /** Whether a review was requested from an eligible reviewer and is still missing. */
  readonly reviewsRequested: boolean
  readonly statuses: ReadonlyArray<CountedStatus>
  /** Whether the base branch has commits that the head lacks. */
  readonly outdated: boolean
  /** The changed paths; `undefined` if there are too many to check. */
  readonly files: ReadonlyArray<string> | undefined
  readonly unsigned: string | null | undefined
}

/** The merge conditions that a branch protection can require, as codes for unmet conditions. */
export type MergeBlock =
  | "merger"
  | "approvals"
  | "rejected"
  | "requested"
  | "outdated"
  | "status-checks"
  | "protected-file"
  | "signature"

/** The decision on a merge: all unmet conditions, and whether an administrator can override them. */
export interface MergeDecision {
  readonly allowed: boolean
  readonly rule: string | undefined
  readonly blocks: ReadonlyArray<MergeBlock>
  /** Whether an administrator overrode the blocking conditions. */
  readonly overridden: boolean
}

const counts = ({ allowed, limited }: Permitted, { teams, userId }: RefChanger): boolean =>
  !limited ||
  (userId !== undefined && allowed.users.includes(userId)) ||
  teams.some((team) => allowed.teams.includes(team))

/** Returns the number of valid approvals: not dismissed, not stale if this matters, and by an eligible reviewer. */
export const approvalsCounted = ({ approvals }: BranchProtection, reviews: ReadonlyArray<CountedReview>): number =>
  reviews.filter(
    ({ dismissed, reviewer, stale, verdict }) =>
      verdict === "approved" &&
      !dismissed &&
      !(stale && (approvals.ignoreStale || approvals.dismissStale)) &&
      counts(approvals, reviewer)
  ).length

const passing: ReadonlyArray<CountedStatus["state"]> = ["success", "skipped"]

const checksPass = ({ statusChecks }: BranchProtection, statuses: ReadonlyArray<CountedStatus>): boolean => {
  if (!statusChecks.enabled) return true
  // Without a name every check counts, and at least one is required.
  const contexts = statusChecks.contexts.length === 0 ? ["*"] : statusChecks.contexts
  return contexts.every((context) => {
    const matches = textMatcher(context)
    const matching = statuses.filter((status) => matches(status.context))
    return matching.length > 0 && matching.every(({ state }) => passing.includes(state))
  })
}

/** The merge conditions of a branch protection with their checks, in the order in which they are reported. */
const conditions: ReadonlyArray<
  readonly [MergeBlock, (protection: BranchProtection, who: RefChanger, asked: MergeRequest) => boolean]
> = [
  ["merger", ({ merge }, who) => counts(merge, who)],
  ["approvals", (protection, _, { reviews }) => approvalsCounted(protection, reviews) >= protection.approvals.required],
  [
    "rejected",
    ({ approvals, blockOnRejectedReviews }, _, { reviews }) =>
      !blockOnRejectedReviews ||
      !reviews.some(
        ({ dismissed, reviewer, verdict }) => verdict === "rejected" && !dismissed && counts(approvals, reviewer)
      )
  ],
  [
    "requested",
    ({ blockOnRequestedReviews }, _, { reviewsRequested }) => !blockOnRequestedReviews || !reviewsRequested
  ],
  ["outdated", ({ blockOnOutdatedBranch }, _, { outdated }) => !blockOnOutdatedBranch || !outdated],
  ["status-checks", (protection, _, { statuses }) => checksPass(protection, statuses)],
  ["protected-file", ({ protectedFiles }, _, { files }) => protectedFiles === "" || files !== undefined],
  ["signature", ({ requireSignedCommits }, _, { unsigned }) => !requireSignedCommits || unsigned === null]
]

/**
 * The merge conditions that even administrators cannot override: the users who may merge, and the protected files. The
 * conditions of reviews and checks can be overridden.
 */
const fixed: ReadonlyArray<MergeBlock> = ["merger", "protected-file"]

function* decided(
  protection: BranchProtection | undefined,
  who: RefChanger,
  asked: MergeRequest,
  override: boolean
): Pieces<MergeDecision> {
  if (protection === undefined) return { allowed: true, rule: undefined, blocks: [], overridden: false }
  const file = yield* protectedAmong(protection.protectedFiles, asked.files ?? [])
  const blocks = conditions.flatMap(([block, isMet]) =>
    isMet(protection, who, asked) && (block !== "protected-file" || file === undefined) ? [] : [block]
  )
  const mayOverride =
    override && who.administers && !protection.blockAdminOverride && !blocks.some((block) => fixed.includes(block))
  return {
    allowed: blocks.length === 0 || mayOverride,
    rule: protection.ruleName,
    blocks,
    overridden: blocks.length > 0 && mayOverride
  }
}

/**
 * Decides whether a branch protection permits a user with write access to merge a pull request.
 *
 * With `override`, an administrator may merge despite unmet conditions of reviews and checks, unless the protection
 * forbids this (`blockAdminOverride`).
 */
export const evaluateMerge = (
  protection: BranchProtection | undefined,
  who: RefChanger,
  asked: MergeRequest,
  override = false
): MergeDecision => runSynchronously(decided(protection, who, asked, override))

/** Decides like {@link evaluateMerge}, but lets other tasks of the process run while it matches many files. */
export const decideMergeRequest = (
  protection: BranchProtection | undefined,
  who: RefChanger,
  asked: MergeRequest,
  override = false
): Effect.Effect<MergeDecision> => inTurns(() => decided(protection, who, asked, override))
