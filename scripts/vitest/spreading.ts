import { readFileSync } from "node:fs"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** What test files call that start Podmans or services, and take long. */
export const processes = /\b(?:startPodman|onPodman|ServiceProcesses|endServices|packageSite)\b/

/** What test files call that go through whole contracts on databases: short files, which come last by their size. */
const databases = /\b(?:onEachEngine|onOneEngine)\b/

/** How many other files come between two that start processes. */
const apart = 2

/**
 * Begins with the files that start processes, which take longest, and puts others between them, so that few run at once;
 * those on databases first, so that none of them is left to run alone at the end.
 */
export class Spreading extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const texts = new Map(sorted.map((file) => [file, readFileSync(file.moduleId, "utf8")]))
    const long = sorted.filter((file) => processes.test(texts.get(file) ?? ""))
    const rest = sorted.filter((file) => !long.includes(file))
    const onDatabases = rest.filter((file) => databases.test(texts.get(file) ?? ""))
    const others = [...onDatabases, ...rest.filter((file) => !onDatabases.includes(file))]
    const spread = long.flatMap((file, at) => [file, ...others.slice(at * apart, (at + 1) * apart)])
    return [...spread, ...others.slice(long.length * apart)]
  }
}
