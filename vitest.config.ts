import { defineConfig } from "vitest/config"
import { ClosingLine } from "./scripts/vitest/closing-line.ts"
import { doctests } from "./scripts/vitest/doctests.ts"

// Vite's own defaults come after ours: naming one condition would drop them.
const conditions = ["@slipway/source", "module", "node", "development|production"]
const externalConditions = ["@slipway/source", "node", "module-sync"]

export default defineConfig({
  plugins: [doctests({ include: "packages/*/src/**/*.ts" })],
  // Packages resolve to their sources; what they share with the tests, `effect` above all, stays one copy, Node's own.
  ssr: { resolve: { conditions, externalConditions } },
  test: {
    include: ["{packages,apps}/*/test/**/*.test.ts", "scripts/test/**/*.test.ts"],
    globalSetup: "packages/sql/src/testing/globalSetup.ts",
    reporters: ["default", new ClosingLine(".turbo/tests.json")],
    pool: "forks",
    // One process per core for the whole run, each taking file after file with its modules still loaded: starting a
    // process and compiling embedded PostgreSQL once per file would cost more than the tests. So a test file may not
    // rely on being alone in its process, and closes what it opens.
    maxWorkers: 2,
    isolate: false,
    testTimeout: 30_000,
    // Files that need Podman wait for each other, in their hooks.
    hookTimeout: 300_000
  }
})
