import { describe, expect, it } from "@effect/vitest"
import { accessCases, askPure, parseQuestions, parseWorld } from "../../src/forge/index.ts"

for (const each of accessCases) {
  describe(each.name, () => {
    const world = parseWorld(each.world)
    for (const question of parseQuestions(each.questions)) {
      it(question.text, () => {
        expect(askPure(world, question)).toEqual({ answer: question.answer, by: question.by })
      })
    }
  })
}

describe("worlds", () => {
  it("say which line can't be read", () => {
    expect(() => parseWorld("usr bob")).toThrow("`usr` is no kind of thing: `usr bob`")
    expect(() => parseWorld("user bob clever")).toThrow("`clever` means nothing here")
    expect(() => parseWorld("site +magic")).toThrow("`+magic` is no switch")
    expect(() => parseWorld("organization acme\nteam acme/x code=write: bob")).toThrow("no such user in this world")
    expect(() => parseWorld("repository acme/site")).toThrow("no such owner")
    expect(() => parseWorld("organization a\nteam a/x code=super:")).toThrow("`super` is no level")
    expect(() => parseWorld("organization a\nteam a/x doors=read:")).toThrow("`doors` is no unit")
  })
})
