import { timeOf as isoOf } from "@slipway/domain"
import type { RunnerJobs } from "@slipway/forge/automation"
import type { Effect } from "effect"
import type { Responses, Timestamp } from "./schema.ts"

const largestNumber = BigInt(Number.MAX_SAFE_INTEGER)

/** Returns a number of a message; one that no thing has is that of nothing, -1. */
export const numberOf = (value: bigint): number => (value >= 0n && value <= largestNumber ? Number(value) : -1)

const results = [0, 1, 2, 3, 4] as const

/** Returns how something ended, as a message says it; what the protocol doesn't know says nothing. */
export const resultOf = (value: number): (typeof results)[number] => results.find((each) => each === value) ?? 0

/** The last second of the year 9999. */
const lastSecond = 253_402_300_799n

/** Returns a point in time of a message; nothing where it says none, or one that no clock shows. */
export const timeOf = (time: Timestamp | undefined): string | undefined => {
  if (time === undefined) return undefined
  const { nanos, seconds } = time
  if (seconds <= 0n || seconds > lastSecond || nanos < 0 || nanos > 999_999_999) return undefined
  return isoOf(Number(seconds) * 1_000 + Math.floor(nanos / 1_000_000))
}

/** Returns a text of a message as stores keep it: whole characters, and no NUL. */
export const textOf = (text: string): string => text.toWellFormed().replaceAll("\0", "\uFFFD")

type Task = NonNullable<Effect.Success<ReturnType<typeof RunnerJobs.fetch>>>

const encoder = new TextEncoder()

/** Shows a job to the runner that does it. */
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
