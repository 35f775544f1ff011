import type { Condition } from "../../../access/Condition.ts"
import type { Answer, Check, Rule } from "../../../access/Decision.ts"
import type { Guard } from "../Action.ts"
import type { ActionStage } from "../order.ts"

/** Returns the check of a guard that one of its grants must pass. */
export const check = <F>(
  stage: ActionStage,
  id: Guard,
  because: string,
  answer: Answer,
  grants: ReadonlyArray<Rule<F>>,
  forbids: ReadonlyArray<Rule<F>> = []
): Check<F> => ({ id, stage, grants, forbids, answer, because })

/** Returns the check of a guard that one rule stops. */
export const forbidden = <F>(
  stage: ActionStage,
  id: Guard,
  answer: Answer,
  rule: string,
  when: Condition<F>,
  because: string
): Check<F> => check(stage, id, because, answer, [], [{ id: rule, when, because }])
