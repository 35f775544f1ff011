import { assert, describe, it } from "@effect/vitest"
import { declaredArguments } from "../../../../src/deploy/runtime/pipeline/site.ts"

describe("the build arguments of a Dockerfile", () => {
  it("are read up to the limit on the number of variables (invariant I25)", () => {
    const names = Array.from({ length: 150_000 }, (_, n) => `a${n.toString(36)}`)
    for (const declared of [`ARG ${names.join(" ")}`, names.map((name) => `ARG ${name}`).join("\n")]) {
      assert.deepStrictEqual(declaredArguments(`FROM a\n${declared}`), names.slice(0, 5_000))
    }
  })
})
