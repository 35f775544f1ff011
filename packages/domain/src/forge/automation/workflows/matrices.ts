import { Result } from "effect"
import type { Scope } from "./expressions/values.ts"
import { evaluateText, isNamed, problemOf } from "./expressions.ts"
import { type Complain, isList, isRecord } from "./plainValues.ts"
import { isStorable } from "./storableText.ts"
import { longestWorkflow, type Matrix, mostJobs, mostVectors, type PlainRecord, type PlainValue } from "./Workflow.ts"

const recordsIn = (value: PlainValue | undefined, place: string, complain: Complain): ReadonlyArray<PlainRecord> => {
  if (value === undefined || value === null) return []
  const records = isList(value) ? value.filter(isRecord) : []
  if (!isList(value) || records.length < value.length) complain(place, "must be a list of maps")
  if (records.length > mostJobs) complain(place, `must have at most ${mostJobs} entries`)
  return records
}

/** Parses a job matrix that contains no expressions; reports problems to `complain`. */
export const matrixIn = (value: PlainValue | undefined, place: string, complain: Complain): Matrix | undefined => {
  if (value === undefined || value === null) return undefined
  if (!isRecord(value)) {
    complain(place, "must be a map")
    return undefined
  }
  const vectors = Object.entries(value).flatMap(([name, values]) => {
    if (name === "include" || name === "exclude") return []
    if (isList(values) && values.length > 0) return [[name, values] as const]
    complain(`${place}.${name}`, "must be a list of values")
    return []
  })
  if (vectors.length > mostVectors) complain(place, `must have at most ${mostVectors} names`)
  return {
    vectors,
    include: recordsIn(value.include, `${place}.include`, complain),
    exclude: recordsIn(value.exclude, `${place}.exclude`, complain)
  }
}

/** Returns all texts of a value, including the keys of its maps. */
const textsOf = (value: PlainValue): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => [
    ...(Array.isArray(value) ? [] : [name]),
    ...textsOf(each as PlainValue)
  ])
}

const expressionsIn = (value: PlainValue): ReadonlyArray<string> =>
  textsOf(value).filter((text) => text.includes("${{"))

/** Returns whether a matrix contains expressions, which must be evaluated before its jobs are known. */
export const isOpen = (value: PlainValue | undefined): value is PlainValue =>
  value !== undefined && expressionsIn(value).length > 0

/** Checks that the expressions of a matrix use only available contexts; reports others to `complain`. */
export const checkOpen = (value: PlainValue, place: string, complain: Complain) => {
  const problem = expressionsIn(value)
    .map((text) => problemOf(text, ["inputs", "needs", "vars"]))
    .find((each) => each !== undefined)
  if (problem !== undefined) complain(place, problem)
}

/** Returns whether a matrix depends on values that are known only after other jobs have ended. */
export const isKnownLater = (value: PlainValue, later: ReadonlySet<string> | undefined): boolean =>
  expressionsIn(value).some(
    (text) => isNamed(text, "needs") || (later !== undefined && later.size > 0 && isNamed(text, "inputs"))
  )

/**
 * Evaluates all expressions in a value; limits the total size, because many expressions can refer to one large value.
 */
const filled = (value: PlainValue, scope: Scope, room: { left: number }): Result.Result<PlainValue, string> => {
  if (room.left < 0) return Result.fail("is too long")
  if (typeof value === "string") {
    if (!value.includes("${{")) return Result.succeed(value)
    return Result.map(evaluateText(value, scope), (found) => {
      room.left -= JSON.stringify(found).length
      return found
    })
  }
  if (typeof value !== "object" || value === null) return Result.succeed(value)
  const fill = (each: PlainValue) => filled(each, scope, room)
  if (Array.isArray(value)) return Result.all((value as ReadonlyArray<PlainValue>).map(fill))
  const entries = Object.entries(value as PlainRecord)
  return Result.map(Result.all(entries.map(([, each]) => fill(each))), (values) =>
    Object.fromEntries(entries.map(([name], at) => [name, values[at] ?? null]))
  )
}

/**
 * Evaluates the expressions of a matrix, and parses the result.
 *
 * Fails if a resulting value itself contains an expression: the runner would evaluate it, and could reveal secrets to
 * the author of the value.
 */
export const closedMatrix = (value: PlainValue, place: string, scope: Scope): Result.Result<Matrix, string> => {
  const room = { left: longestWorkflow }
  const values = filled(value, scope, room)
  if (Result.isFailure(values)) return Result.fail(`${place}: ${values.failure}`)
  if (room.left < 0 || JSON.stringify(values.success).length > longestWorkflow)
    return Result.fail(`${place}: is too long`)
  if (!isStorable(values.success)) return Result.fail(`${place}: has characters that cannot be stored`)
  if (expressionsIn(values.success).length > 0) return Result.fail(`${place}: has a value with an expression`)
  const problems: Array<string> = []
  const matrix = matrixIn(values.success, place, (at, problem) => {
    problems.push(`${at}: ${problem}`)
  })
  const [problem] = problems
  return matrix === undefined || problem !== undefined
    ? Result.fail(problem ?? `${place}: must be a map`)
    : Result.succeed(matrix)
}
