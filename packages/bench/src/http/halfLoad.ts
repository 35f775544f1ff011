import { median } from "../support/numbers.ts"
import { requestAtRate, requestRepeatedly, type Target, warm } from "./client.ts"

const turns = 7
const milliseconds = 1_500

/** The response times at half of a server's maximum rate, in milliseconds. */
export interface HalfLoad {
  /** The rate of sent requests per second. */
  readonly rate: number
  readonly usual: number
  /** The 99th percentile of the response times. */
  readonly slow: number
  /** The 99th percentile of the client's own delays, which the machine adds to the response times. */
  readonly late: number
}

/**
 * Sends requests to the servers alternately, each at half of the maximum rate that was just measured for it. Returns
 * the medians of several rounds.
 */
export const atHalfLoad = async (targets: ReadonlyArray<Target>): Promise<ReadonlyArray<HalfLoad>> => {
  const rounds = targets.map(() => [] as Array<HalfLoad>)
  for (const target of targets) await warm(target)
  for (let turn = 0; turn < turns; turn++) {
    for (const [index, target] of targets.entries()) {
      // The capacity of the machine changes while other programs use it.
      const rate = (await requestRepeatedly(target, milliseconds / 3)).rate / 2
      const { late, times } = await requestAtRate(target, rate, milliseconds)
      const of = (numbers: ReadonlyArray<number>, share: number) =>
        numbers[Math.floor(numbers.length * share)] ?? Number.NaN
      rounds[index]?.push({ rate, usual: of(times, 0.5), slow: of(times, 0.99), late: of(late, 0.99) })
    }
  }
  return rounds.map((each) => ({
    rate: median(each.map(({ rate }) => rate)),
    usual: median(each.map(({ usual }) => usual)),
    slow: median(each.map(({ slow }) => slow)),
    late: median(each.map(({ late }) => late))
  }))
}
