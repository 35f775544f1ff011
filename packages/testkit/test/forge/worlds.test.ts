import { describe, expect, it } from "@effect/vitest"
import { shippedScenarios } from "../../../../scripts/vitest/scenarios.ts"
import { checkScenarios, parseWorld } from "../../src/forge/access/index.ts"

describe("shipped scenarios", () => {
  for (const scenario of shippedScenarios) {
    it(scenario.name, () => {
      expect(scenario.questions.length).toBeGreaterThan(0)
      const wrong = checkScenarios([scenario]).filter(({ passed }) => !passed)
      expect(wrong.map(({ got, path, question }) => ({ question: question.text, got, path }))).toEqual([])
    })
  }
})

describe("worlds", () => {
  it("report the line of a parse error", () => {
    expect(() => parseWorld("usr bob")).toThrow("`usr` is not a resource type: `usr bob`")
    expect(() => parseWorld("user bob clever")).toThrow("`clever` is unknown here")
    expect(() => parseWorld("site +magic")).toThrow("`+magic` is not a switch")
    expect(() => parseWorld("organization acme\nteam acme/x code=write: bob")).toThrow("no such user in this world")
    expect(() => parseWorld("repository acme/site")).toThrow("no such owner")
    expect(() => parseWorld("organization a\nteam a/x code=super:")).toThrow("`super` is not a level")
    expect(() => parseWorld("organization a\nteam a/x doors=read:")).toThrow("`doors` is not a unit")
    expect(() => parseWorld("user a\ntoken a/ci write")).toThrow("`write` is not a scope")
    expect(() => parseWorld("user a\nrepository a/b\nprotection a/b main push=c")).toThrow("no such user or team")
    expect(() => parseWorld("user a\nrepository a/b\nprotection a/b main pull=a")).toThrow("`pull` is unknown here")
  })
})
