import { median } from "../support/numbers.ts"
import { ask, askAtRate, type Target, warm } from "./client.ts"

const turns = 7
const milliseconds = 1_500

/** How long answers take at half of what a server can answer, in milliseconds. */
export interface HalfLoad {
  /** How many requests a second were asked for. */
  readonly rate: number
  readonly usual: number
  /** The slowest of a hundred. */
  readonly slow: number
  /** The 99th percentile of the client's own delays: the part that the machine adds. */
  readonly late: number
}

/** Asks servers in turns, each at half the rate that it was just found to answer, and gives the medians of the turns. */
export const atHalfLoad = async (targets: ReadonlyArray<Target>): Promise<ReadonlyArray<HalfLoad>> => {
  const rounds = targets.map(() => [] as Array<HalfLoad>)
  for (const target of targets) await warm(target)
  for (let turn = 0; turn < turns; turn++) {
    for (const [index, target] of targets.entries()) {
      // The capacity of the machine changes while other programs use it.
      const rate = (await ask(target, milliseconds / 3)).rate / 2
      const { late, times } = await askAtRate(target, rate, milliseconds)
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
