import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { Bundles } from "./scripts/vitest/bundles.ts"
import { ClosingLine } from "./scripts/vitest/closing-line.ts"
import { doctests } from "./scripts/vitest/doctests.ts"
import { Sharding } from "./scripts/vitest/sharding.ts"
import { temporaryFilesInMemory } from "./scripts/vitest/temporary.ts"

// A run of many cases makes up others each time; the closing line tells from what, to make them once more.
if (process.env.SLIPWAY_TEST_RUNS !== undefined) process.env.SLIPWAY_TEST_SEED ??= `${Date.now() % 1_000_000_000}`

temporaryFilesInMemory()

// Vite's own defaults come after ours: naming one condition would drop them. But for `module`, which is for bundlers:
// what it leads to need not be what Node can load, and is not in the AWS SDK.
const conditions = ["@slipway/source", "node", "development|production"]
const externalConditions = ["@slipway/source", "node", "module-sync"]

export default defineConfig({
  plugins: [doctests({ include: "{README.md,docs/**/*.md,packages/*/{README.md,src/**/*.ts}}" })],
  // Packages resolve to their sources; what they share with the tests, `effect` above all, stays one copy, Node's own.
  ssr: { resolve: { conditions, externalConditions } },
  test: {
    include: ["{packages,apps}/*/test/**/*.test.ts", "scripts/test/**/*.test.ts"],
    globalSetup: "packages/sql/src/testing/globalSetup.ts",
    reporters: ["default", new Bundles(), new ClosingLine(".turbo/tests.json")],
    pool: "forks",
    // Two processes more than there are cores, since tests of processes and containers wait for much of their time; each
    // for the whole run, taking file after file with its modules still loaded: starting a process and compiling embedded
    // PostgreSQL once per file would cost more than the tests. So a test file may not rely on being alone in its process,
    // and closes what it opens.
    maxWorkers: 4,
    isolate: false,
    // Processors are what there is too little of: garbage is collected by the thread that makes it, seldom and in large
    // pieces, since threads that help it wait for a processor themselves.
    execArgv: ["--single-threaded-gc", "--min-semi-space-size=32", "--max-semi-space-size=64"],
    // A slow machine is no failure.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    sequence: { sequencer: Sharding },
    // For the processes that tests start.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/compiled") }
  }
})
