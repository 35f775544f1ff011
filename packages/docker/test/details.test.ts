import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { detailsOf, readShown } from "../src/details.ts"

/** Returns the health output in the details of a container, from the output of its last check. */
const healthOutputOf = (output: string) =>
  Effect.map(
    readShown({
      status: 200,
      because: "",
      body: JSON.stringify({
        Id: "c1",
        Name: "/web",
        Image: "sha256:1",
        State: { Status: "running", ExitCode: 0, Health: { Status: "unhealthy", Log: [{ Output: output }] } },
        Config: {},
        NetworkSettings: {}
      })
    }),
    (shown) => detailsOf(shown).healthOutput
  )

describe("the output of a health check", () => {
  it.effect("contains only text that PostgreSQL can store", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* healthOutputOf(" no\0 answer\0\n"), "no answer")
      assert.strictEqual(yield* healthOutputOf("\0\n"), null)
      // The limit of 500 characters splits a surrogate pair.
      assert.strictEqual(yield* healthOutputOf(`${"x".repeat(499)}😀`), `${"x".repeat(499)}\ufffd`)
      assert.strictEqual(yield* healthOutputOf("\ud83d alone"), "\ufffd alone")
    })
  )
})
