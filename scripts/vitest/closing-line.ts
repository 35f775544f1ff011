import { mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import type { Reporter, TestModule } from "vitest/node"

/** Prints the run's counts as one plain line, `12 passed, 0 failed`, and keeps them in a file for what runs afterwards. */
export class ClosingLine implements Reporter {
  readonly file: string

  constructor(file: string) {
    this.file = file
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<unknown>): void {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      let own = 0
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        counts[state === "pending" ? "skipped" : state] += 1
        if (state === "failed") own += 1
      }
      // A file that fails outside its tests, at import or in a hook, has failed all the same.
      if (own === 0 && module.state() === "failed") counts.failed += 1
    }
    counts.failed += unhandled.length
    mkdirSync(dirname(this.file), { recursive: true })
    writeFileSync(this.file, `${JSON.stringify(counts)}\n`)
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ""
    const { SLIPWAY_TEST_RUNS: runs, SLIPWAY_TEST_SEED: seed } = process.env
    if (runs !== undefined) process.stdout.write(`\nSLIPWAY_TEST_RUNS=${runs} SLIPWAY_TEST_SEED=${seed}\n`)
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed${skipped}\n`)
  }
}
