import { readFileSync } from "node:fs"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** What test files call that start Podmans or services, and take long. */
export const processes = /\b(?:startPodman|onPodman|ServiceProcesses|endServices)\b/

/** How many other files come between two that start processes. */
const apart = 2

/** Begins with the files that start processes, which take longest, and puts others between them, so that few run at once. */
export class Spreading extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const others = sorted.filter(({ moduleId }) => !processes.test(readFileSync(moduleId, "utf8")))
    const long = sorted.filter((file) => !others.includes(file))
    const spread = long.flatMap((file, at) => [file, ...others.slice(at * apart, (at + 1) * apart)])
    return [...spread, ...others.slice(long.length * apart)]
  }
}
