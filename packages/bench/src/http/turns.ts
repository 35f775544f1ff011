import type { Started } from "../start/service.ts"
import { median } from "../support/numbers.ts"
import { ask, warm } from "./client.ts"
import type { Asked } from "./sites.ts"

const turns = 5
const milliseconds = 1_000

/** Returns what each of some services uses of processors for an answer, in microseconds: the median of turns that they take. */
export const cpuInTurns = async (
  services: ReadonlyArray<Started>,
  { anonymous, path }: Asked,
  token: string
): Promise<ReadonlyArray<number>> => {
  const targetOf = ({ base, process: { pid } }: Started) => ({ base, path, pid, token: anonymous ? undefined : token })
  const rounds = services.map((): Array<number> => [])
  for (const each of services) await warm(targetOf(each))
  for (let turn = 0; turn < turns; turn++) {
    for (const [at, each] of services.entries()) rounds[at]?.push((await ask(targetOf(each), milliseconds)).cpu)
  }
  return rounds.map(median)
}
