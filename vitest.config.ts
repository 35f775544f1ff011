import { defineConfig } from "vitest/config"

export default defineConfig({
  ssr: { resolve: { conditions: ["@slipway/source"], externalConditions: ["@slipway/source"] } },
  test: {
    include: ["{packages,apps}/*/test/**/*.test.ts"],
    globalSetup: "packages/sql/src/testing/globalSetup.ts"
  }
})
