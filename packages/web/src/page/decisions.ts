import { ServiceError } from "@slipway/client/forge"
import type { Visit } from "./Page.ts"

/** A question to the access check: an action and a resource, such as `["repository.edit", "repo:acme/site"]`. */
export type Question = readonly [action: string, resource: string]

/**
 * Returns for each question whether the viewer may perform the action on the resource. Sends one request for all
 * questions.
 *
 * The page must declare the operation `access.check`.
 */
export const decisionsOn = async <K extends string>(
  { forge }: Visit,
  questions: Readonly<Record<K, Question>>
): Promise<Readonly<Record<K, boolean>>> => {
  const entries = Object.entries<Question>(questions)
  const checks = entries.map(([, [action, resource]]) => ({ action, resource }))
  const answers = await forge.access.check({ body: { checks } })
  // BOUNDARY: the keys are those of the questions, which `fromEntries` forgets.
  return Object.fromEntries(entries.map(([key], at) => [key, answers[at]?.allowed === true])) as Record<K, boolean>
}

/** Throws the error of the forge, with its status and message, if the viewer may not perform an action. */
export const requireAllowed = async ({ forge }: Visit, [action, resource]: Question): Promise<void> => {
  const [answer] = await forge.access.check({ body: { checks: [{ action, resource }], explain: true } })
  if (answer?.allowed !== true) throw new ServiceError(answer?.status ?? 404, { message: answer?.message })
}
