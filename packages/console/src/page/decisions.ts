import type { ConsoleVisit } from "./ConsolePage.ts"

/**
 * An access check: the name of an action, and the uuid of its object or the number of a team. Without an object, the
 * check is about the viewer's team.
 */
export type Question = readonly [action: string, object?: string]

/**
 * Returns whether the viewer may do each action, under the keys of `questions`. Sends one request for all checks.
 *
 * The page must declare the operation `people.check`.
 */
export const decisionsOn = async <K extends string>(
  { deploy }: ConsoleVisit,
  questions: Readonly<Record<K, Question>>
): Promise<Readonly<Record<K, boolean>>> => {
  const entries = Object.entries<Question>(questions)
  const checks = entries.map(([, [action, object]]) => (object === undefined ? { action } : { action, object }))
  const answers = await deploy.people.check({ body: { checks } })
  // BOUNDARY: the keys are those of the questions, which `fromEntries` forgets.
  return Object.fromEntries(entries.map(([key], at) => [key, answers[at]?.allowed === true])) as Record<K, boolean>
}
