import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { program } from "./embedding.ts"

const textOf = (file: string) => readFileSync(join(import.meta.dirname, file), "utf8")

describe("embedding the core with the memory store", () => {
  it.effect("runs the example of the README with its documented result", () =>
    Effect.gen(function* () {
      const refusal = yield* program
      if (refusal._tag !== "DomainConflicts") return assert.fail(`was refused as ${refusal._tag}`)
      assert.deepStrictEqual(
        refusal.conflicts.map((conflict) => conflict.domain),
        ["https://shop.example"]
      )
    })
  )

  it("is identical to the example of the README", () => {
    const [, example] = /```ts\n(.*?)```/s.exec(textOf("../README.md")) ?? []
    assert.strictEqual(example, textOf("embedding.ts"))
  })
})
