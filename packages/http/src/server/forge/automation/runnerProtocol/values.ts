import { timeOf as isoOf } from "@slipway/domain"
import type { RunnerJobs } from "@slipway/forge/automation"
import type { Effect } from "effect"
import type { Responses, Timestamp } from "./schema.ts"

const largestNumber = BigInt(Number.MAX_SAFE_INTEGER)

/** Converts an id in a message to a number; -1, which no row has, if it is out of range. */
export const numberOf = (value: bigint): number => (value >= 0n && value <= largestNumber ? Number(value) : -1)

const results = [0, 1, 2, 3, 4] as const

/** Returns the result code in a message; an unknown code becomes 0 (unset). */
export const resultOf = (value: number): (typeof results)[number] => results.find((each) => each === value) ?? 0

/** The last second of the year 9999. */
const lastSecond = 253_402_300_799n

/** Converts a timestamp in a message to ISO 8601; `undefined` if it is unset or invalid. */
export const timeOf = (time: Timestamp | undefined): string | undefined => {
  if (time === undefined) return undefined
  const { nanos, seconds } = time
  if (seconds <= 0n || seconds > lastSecond || nanos < 0 || nanos > 999_999_999) return undefined
  return isoOf(Number(seconds) * 1_000 + Math.floor(nanos / 1_000_000))
}

/** Returns a text in a message as databases accept it: well-formed Unicode without NUL. */
export const textOf = (text: string): string => text.toWellFormed().replaceAll("\0", "\uFFFD")

type Task = NonNullable<Effect.Success<ReturnType<typeof RunnerJobs.fetch>>>

const encoder = new TextEncoder()

/** Converts a job to the message that its runner receives. */
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
