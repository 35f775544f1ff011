import { readFileSync } from "node:fs"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Matches test files that start Podman or services, and take long. */
export const processes = /\b(?:startPodman|onPodman|ServiceProcesses|endServices|packageSite)\b/

/** Matches test files that run whole contracts on databases: small files, which would be sorted last by size. */
const databases = /\b(?:onEachEngine|onOneEngine)\b/

/** The number of other files between two that start processes. */
const apart = 2

/**
 * Sorts files that start processes first, because they take longest, with others between them, so that few run concurrently.
 * Database files come next, so that none runs as the last file of the run.
 */
export class Sharding extends BaseSequencer {
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
