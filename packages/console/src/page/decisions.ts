import type { ConsoleVisit } from "./ConsolePage.ts"

/**
 * An access check: the name of an action, and the uuid of its object or the number of a team. Without an object, the
 * check is about the viewer's team.
 */
export type Question = readonly [action: string, object?: string]

type Check = Parameters<ConsoleVisit["deploy"]["people"]["check"]>[0]["body"]["checks"][number]

/** The checks that the loader of a page has asked for, and their answers. */
interface Batch {
  readonly checks: Array<Check>
  readonly answers: Promise<ReadonlyArray<{ readonly allowed: boolean }>>
}

const batches = new WeakMap<ConsoleVisit, Batch>()

/** Sends the checks that a page asks for concurrently in one request, and returns the answers to these ones. */
const answersTo = async (visit: ConsoleVisit, checks: ReadonlyArray<Check>) => {
  const collected = batches.get(visit)?.checks ?? []
  const batch = batches.get(visit) ?? {
    checks: collected,
    answers: Promise.resolve().then(() => {
      batches.delete(visit)
      return visit.deploy.people.check({ body: { checks: collected } })
    })
  }
  batches.set(visit, batch)
  const first = batch.checks.push(...checks) - checks.length
  return (await batch.answers).slice(first, first + checks.length)
}

/**
 * Returns whether the viewer may do each action, under the keys of `questions`. Concurrent calls of a page share one
 * request.
 *
 * The page must declare the operation `people.check`.
 */
export const decisionsOn = async <K extends string>(
  visit: ConsoleVisit,
  questions: Readonly<Record<K, Question>>
): Promise<Readonly<Record<K, boolean>>> => {
  const entries = Object.entries<Question>(questions)
  const checks = entries.map(([, [action, object]]) => (object === undefined ? { action } : { action, object }))
  const answers = await answersTo(visit, checks)
  // BOUNDARY: the keys are those of the questions, which `fromEntries` forgets.
  return Object.fromEntries(entries.map(([key], at) => [key, answers[at]?.allowed === true])) as Record<K, boolean>
}
