import { timeOf as isoOf } from "@slipway/domain"
import type { RunnerJobs } from "@slipway/forge/automation"
import type { Effect } from "effect"
import type { Responses, Timestamp } from "./schema.ts"

const largestNumber = BigInt(Number.MAX_SAFE_INTEGER)

/** Returns an id of a message; -1, the id of nothing, for one out of range. */
export const numberOf = (value: bigint): number => (value >= 0n && value <= largestNumber ? Number(value) : -1)

const results = [0, 1, 2, 3, 4] as const

/** Returns the result in a message; an unknown one counts as unset. */
export const resultOf = (value: number): (typeof results)[number] => results.find((each) => each === value) ?? 0

/** The last second of the year 9999. */
const lastSecond = 253_402_300_799n

/** Returns a point in time of a message; `undefined` for an unset or invalid one. */
export const timeOf = (time: Timestamp | undefined): string | undefined => {
  if (time === undefined) return undefined
  const { nanos, seconds } = time
  if (seconds <= 0n || seconds > lastSecond || nanos < 0 || nanos > 999_999_999) return undefined
  return isoOf(Number(seconds) * 1_000 + Math.floor(nanos / 1_000_000))
}

/** Returns a text of a message as stores accept it: whole characters, and no NUL. */
export const textOf = (text: string): string => text.toWellFormed().replaceAll("\0", "\uFFFD")

type Task = NonNullable<Effect.Success<ReturnType<typeof RunnerJobs.fetch>>>

const encoder = new TextEncoder()

/** Shows a job to its runner. */
export const showTask = ({
  context,
  id,
  needs,
  secrets,
  vars,
  workflow
}: Task): NonNullable<Responses["FetchTaskResponse"]["task"]> => ({
  id: BigInt(id),
  workflowPayload: encoder.encode(workflow),
  context,
  secrets,
  vars,
  needs
})
