import { mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import type { Reporter, TestModule } from "vitest/node"

/**
 * Prints failed tests, one per line, then the counts as one line, `12 passed, 0 failed`. Stores the counts and
 * the failed files for later steps.
 */
export class ClosingLine implements Reporter {
  readonly file: string

  constructor(file: string) {
    this.file = file
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<unknown>): void {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    const failures: Array<string> = []
    const files: Array<string> = []
    for (const module of modules) {
      let own = 0
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        counts[state === "pending" ? "skipped" : state] += 1
        if (state !== "failed") continue
        own += 1
        failures.push(`${module.relativeModuleId} > ${test.fullName}`)
      }
      if (module.state() !== "failed") continue
      files.push(module.relativeModuleId)
      if (own > 0) continue
      // A file that fails at import or in a hook counts as one failure.
      counts.failed += 1
      failures.push(module.relativeModuleId)
    }
    counts.failed += unhandled.length
    mkdirSync(dirname(this.file), { recursive: true })
    writeFileSync(this.file, `${JSON.stringify({ ...counts, files })}\n`)
    if (failures.length > 0) process.stdout.write(`\n${failures.map((failure) => `failed: ${failure}`).join("\n")}\n`)
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ""
    const { SLIPWAY_TEST_RUNS: runs, SLIPWAY_TEST_SEED: seed } = process.env
    if (runs !== undefined) process.stdout.write(`\nSLIPWAY_TEST_RUNS=${runs} SLIPWAY_TEST_SEED=${seed}\n`)
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed${skipped}\n`)
  }
}
