import type { Answer, Check, Condition, Rule } from "@slipway/access"
import type { Guard } from "../Action.ts"
import { answers } from "../answers.ts"
import { memberBlocks } from "../forbids.ts"
import type { ActionStage } from "../order.ts"

/** Returns an access check that passes if at least one rule in `grants` applies, and none in `forbids`. */
export const check = <F>(
  stage: ActionStage,
  id: Guard,
  because: string,
  answer: Answer,
  grants: ReadonlyArray<Rule<F>>,
  forbids: ReadonlyArray<Rule<F>> = []
): Check<F> => ({ id, stage, grants, forbids, answer, because })

/** Returns an access check that fails if the condition `when` is true. */
export const forbidden = <F>(
  stage: ActionStage,
  id: Guard,
  answer: Answer,
  rule: string,
  when: Condition<F>,
  because: string
): Check<F> => check(stage, id, because, answer, [], [{ id: rule, when, because }])

/**
 * The check for adding a user as a member: the user does not block the caller, and the owner does not block the user.
 */
export const memberNotBlocked = check(
  "role",
  "member-not-blocked",
  "needs a user without blocks: they do not block the caller, and the owner does not block them",
  answers.blocked,
  [],
  memberBlocks
)
