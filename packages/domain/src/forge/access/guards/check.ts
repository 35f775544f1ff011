import type { Answer, Check, Condition, Rule } from "@slipway/access"
import type { Guard } from "../Action.ts"
import { answers } from "../answers.ts"
import { memberBlocks } from "../forbids.ts"
import type { ActionStage } from "../order.ts"

/** Returns the check of a guard that passes if one of its grants applies. */
export const check = <F>(
  stage: ActionStage,
  id: Guard,
  because: string,
  answer: Answer,
  grants: ReadonlyArray<Rule<F>>,
  forbids: ReadonlyArray<Rule<F>> = []
): Check<F> => ({ id, stage, grants, forbids, answer, because })

/** Returns the check of a guard that fails if one rule applies. */
export const forbidden = <F>(
  stage: ActionStage,
  id: Guard,
  answer: Answer,
  rule: string,
  when: Condition<F>,
  because: string
): Check<F> => check(stage, id, because, answer, [], [{ id: rule, when, because }])

/** The check that no block prevents adding a named user. */
export const memberNotBlocked = check(
  "role",
  "member-not-blocked",
  "needs a user without blocks: they do not block the caller, and the owner does not block them",
  answers.blocked,
  [],
  memberBlocks
)
