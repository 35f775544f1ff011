import type { Started } from "../start/service.ts"
import { median } from "../support/numbers.ts"
import { requestRepeatedly, warm } from "./client.ts"
import type { BenchRequest } from "./sites.ts"

const turns = 5
const milliseconds = 1_000

/** Returns the processor time of each service per response, in microseconds, as the median of several rounds. */
export const medianProcessorTime = async (
  services: ReadonlyArray<Started>,
  { anonymous, path }: BenchRequest,
  token: string
): Promise<ReadonlyArray<number>> => {
  const targetOf = ({ base, process: { pid } }: Started) => ({ base, path, pid, token: anonymous ? undefined : token })
  const rounds = services.map((): Array<number> => [])
  for (const each of services) await warm(targetOf(each))
  for (let turn = 0; turn < turns; turn++) {
    for (const [at, each] of services.entries())
      rounds[at]?.push((await requestRepeatedly(targetOf(each), milliseconds)).cpu)
  }
  return rounds.map(median)
}
