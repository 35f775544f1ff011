import { describe, expect, it } from "@effect/vitest"
import { WorkflowReader } from "@slipway/domain/forge/automation"
import { layerWorkflowReader } from "@slipway/templates"
import { Effect } from "effect"

const reading = (text: string) =>
  Effect.flatMap(WorkflowReader, ({ read }) => read(text)).pipe(Effect.provide(layerWorkflowReader))

describe("WorkflowReader", () => {
  it.effect("parse maps, lists, texts, numbers and booleans as YAML 1.2", () =>
    Effect.gen(function* () {
      expect(yield* reading("on: push\na: [1, 1.5, true, null, yes, '2']\nb: |\n  x\n  y\n1: c")).toEqual({
        said: { on: "push", a: [1, 1.5, true, null, "yes", "2"], b: "x\ny\n", 1: "c" }
      })
      expect(yield* reading("")).toEqual({ said: null })
      expect(yield* reading("__proto__: {a: 1}")).toEqual({ said: JSON.parse('{"__proto__": {"a": 1}}') })
    })
  )

  it.effect("resolve aliases", () =>
    Effect.gen(function* () {
      expect(yield* reading("a: &x {b: 1}\nc: *x")).toEqual({ said: { a: { b: 1 }, c: { b: 1 } } })
    })
  )

  it.effect("merge maps under the key `<<`", () =>
    Effect.gen(function* () {
      const job = "x: &job { runs-on: linux, env: { A: 1 } }"
      expect(yield* reading(`${job}\na: { <<: *job, runs-on: arm }\nb: { <<: [*job, { steps: [] }] }`)).toEqual({
        said: {
          x: { "runs-on": "linux", env: { A: 1 } },
          a: { "runs-on": "arm", env: { A: 1 } },
          b: { "runs-on": "linux", env: { A: 1 }, steps: [] }
        }
      })
      expect(yield* reading("a: { <<: 1 }")).toHaveProperty("because")
      const bomb = ["a0: &a0 {x: 1, y: 2}"]
      for (let n = 1; n < 30; n++) bomb.push(`a${n}: &a${n} {<<: *a${n - 1}, b: *a${n - 1}, c: *a${n - 1}}`)
      expect(yield* reading(bomb.join("\n"))).toHaveProperty("because")
    })
  )

  it.effect("report why a text cannot be parsed", () =>
    Effect.gen(function* () {
      expect(yield* reading("a: [")).toMatchObject({ because: expect.stringContaining("at line 1") })
      expect(yield* reading("a: 1\na: 2")).toEqual({ because: "map keys must be unique" })
      expect(yield* reading("a: *x")).toMatchObject({ because: expect.stringContaining("x") })
    })
  )

  it.effect("reject a text with aliases that expand to too many nodes", () =>
    Effect.gen(function* () {
      const bomb = ["a: &a0 [x, x, x, x, x, x, x, x, x, x]"]
      for (let n = 1; n < 9; n++)
        bomb.push(`b${n}: &a${n} [${Array.from({ length: 10 }, () => `*a${n - 1}`).join(", ")}]`)
      expect(yield* reading(bomb.join("\n"))).toHaveProperty("because")
      const wide = `a: &x "${"y".repeat(4_000)}"\nb: [${Array.from({ length: 900 }, () => "*x").join(", ")}]`
      expect(yield* reading(wide)).toEqual({ because: "YAML aliases expand to too many nodes" })
      expect(yield* reading(`${"[".repeat(200)}${"]".repeat(200)}`)).toEqual({
        because: "it is nested too deeply"
      })
      expect(yield* reading(`${"[".repeat(90)}"[[]{"${"]".repeat(90)}`)).toHaveProperty("said")
      // Deeper nesting gets a reason too.
      expect(yield* reading("[".repeat(100_000))).toHaveProperty("because")
    })
  )
})
