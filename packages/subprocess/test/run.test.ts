import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { type Run, RunFailure, run } from "@slipway/subprocess"
import { isAlive, lineOf } from "@slipway/subprocess/testing"
import { Duration, Effect, Fiber } from "effect"

const folder = mkdtempSync(join(tmpdir(), "slipway-run-test-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const limits = { timeout: Duration.seconds(20), output: 100_000 }

let programs = 0
/** Makes a run of a shell script. */
const script = (text: string, more: Partial<Run> = {}): Run => {
  const program = join(folder, String(programs++))
  writeFileSync(program, `#!/bin/sh\n${text}\n`)
  chmodSync(program, 0o755)
  return { program, args: [], environment: { PATH: "/usr/bin:/bin" }, limits, ...more }
}

const reasonOf = (asked: Run) => Effect.map(Effect.flip(run(asked)), ({ reason }) => reason)

const forever = "while :; do sleep 0.05; done"

describe("a run of a program", () => {
  it.live("passes each argument unchanged, without a shell (invariant I23)", () =>
    Effect.gen(function* () {
      const args = ["$(touch pwned)", "`id`", "a b", "a\nb", "'\"", "; ls", "*", ""]
      const written = yield* run(script(`for each; do printf '%s\\0' "$each"; done`, { args }))
      assert.deepStrictEqual(written.split("\0").slice(0, -1), args)
    })
  )

  it.live("has only the given environment, and starts in the root directory", () =>
    Effect.gen(function* () {
      const environment = { PATH: "/usr/bin:/bin", GIVEN: "$HOME" }
      const written = yield* run({ program: "env", args: [], environment, limits })
      assert.sameMembers(written.trim().split("\n"), ["PATH=/usr/bin:/bin", "GIVEN=$HOME"])
      assert.strictEqual(yield* run({ program: "pwd", args: [], environment, limits }), "/\n")
    })
  )

  it.live("reads its input, which may be empty and may stay unread", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* run(script("cat", { input: "one\ntwo" })), "one\ntwo")
      assert.strictEqual(yield* run(script("cat")), "")
      assert.strictEqual(yield* run(script("echo done", { input: new Uint8Array(10_000_000) })), "done\n")
    })
  )

  it.live("fails with its exit code and its error output", () =>
    Effect.gen(function* () {
      const { reason, said } = yield* Effect.flip(run(script("echo written; echo why >&2; exit 3")))
      assert.deepStrictEqual([reason, said], [RunFailure.Exited({ exitCode: 3 }), "why\n"])
    })
  )

  it.live("reports the reason if it cannot start", () =>
    Effect.gen(function* () {
      const missing = script("", { program: "missing", environment: { PATH: folder } })
      assert.deepStrictEqual(yield* reasonOf(missing), RunFailure.NotStarted({ code: "ENOENT" }))
      const tooLong = script("", { args: ["x".repeat(4_000_000)] })
      assert.deepStrictEqual(yield* reasonOf(tooLong), RunFailure.NotStarted({ code: "E2BIG" }))
    })
  )

  it.live("reports the signal that killed it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* reasonOf(script("kill -KILL $$")), RunFailure.Killed({ signal: "SIGKILL" }))
    })
  )

  // Invariant I25.
  it.live("is stopped at its output limit on both streams", () =>
    Effect.gen(function* () {
      for (const text of ["exec yes", "exec yes >&2"]) {
        assert.deepStrictEqual(yield* reasonOf(script(text)), RunFailure.WroteTooMuch(), text)
      }
    })
  )

  // Invariant I25.
  it.live("is killed at its timeout, even if it ignores SIGTERM, and has exited then", () =>
    Effect.gen(function* () {
      const pids = join(folder, "timeout")
      const stubborn = script(`trap '' TERM\necho $$ > ${pids}\n${forever}`, {
        limits: { ...limits, timeout: Duration.millis(300) },
        grace: Duration.seconds(20)
      })
      assert.deepStrictEqual(yield* reasonOf(stubborn), RunFailure.TookTooLong())
      assert.isFalse(isAlive(Number(yield* lineOf(pids))))
    })
  )

  it.live("has exited when its interruption completes: immediately, or after a grace period", () =>
    Effect.gen(function* () {
      for (const [name, trap, grace, expected] of [
        ["at once", "echo tidied > $out; exit 0", Duration.zero, ""],
        ["gentle", "echo tidied > $out; exit 0", Duration.seconds(20), "tidied"],
        ["stubborn", "", Duration.millis(200), ""]
      ] as const) {
        const [pids, out] = [join(folder, `${programs}-pid`), join(folder, `${programs}-out`)]
        writeFileSync(out, "")
        const text = `out=${out}\ntrap '${trap}' TERM\necho $$ > ${pids}\n${forever}`
        const running = yield* Effect.forkChild(run(script(text, { grace })))
        const pid = Number(yield* lineOf(pids))
        yield* Fiber.interrupt(running)
        assert.deepStrictEqual([isAlive(pid), readFileSync(out, "utf8").trim()], [false, expected], name)
      }
    })
  )
})
