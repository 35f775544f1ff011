import { readFileSync } from "node:fs"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** What test files call that have Podman to themselves, one file at a time. */
const podman = /\b(?:startPodman|onPodman)\b/

/** How many other files come between two that wait for each other. */
const apart = 3

/** Spreads the files that need Podman among the others, so that few workers wait for their turn at once. */
export class TakingTurns extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const others = sorted.filter(({ moduleId }) => !podman.test(readFileSync(moduleId, "utf8")))
    const waiting = sorted.filter((file) => !others.includes(file))
    const spread = waiting.flatMap((file, at) => [file, ...others.slice(at * apart, (at + 1) * apart)])
    return [...spread, ...others.slice(waiting.length * apart)]
  }
}
