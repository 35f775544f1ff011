import type { Started } from "../start/service.ts"
import { median } from "../support/numbers.ts"
import { ask, warm } from "./client.ts"
import type { Asked } from "./sites.ts"

const turns = 5
const milliseconds = 1_000

/** Returns the processor time of each service per answer, in microseconds: the median of several turns. */
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
