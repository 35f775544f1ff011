import { expect, it } from "vitest"
import { isFresh } from "../src/container.ts"

it("a Caddy has no apps if it has no configuration at all, or one without apps", () => {
  const traversal = '{"error":"invalid traversal path at: config/apps"}\n'
  expect(isFresh({ status: 400, body: traversal })).toBe(true)
  expect(isFresh({ status: 200, body: "null\n" })).toBe(true)
  expect(isFresh({ status: 200, body: '{"http":{"servers":{}}}\n' })).toBe(false)
})
