import { createHash } from "node:crypto"
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { deflateSync } from "node:zlib"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { isAlive, lineOf } from "@slipway/subprocess/testing"
import { Duration, Effect, Fiber } from "effect"
import { type GitFailed, runGit } from "../src/program.ts"

const folder = mkdtempSync(join(tmpdir(), "slipway-program-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let programs = 0
/** Makes a program that runs in place of git. */
const instead = (script: string) => {
  const path = join(folder, String(programs++))
  mkdirSync(path)
  writeFileSync(join(path, "git"), `#!/bin/sh\n${script}\n`)
  chmodSync(join(path, "git"), 0o755)
  return { PATH: `${path}:${process.env.PATH}` }
}

const limits = { timeout: Duration.seconds(20), output: 1_000_000 }

const failure = (run: Effect.Effect<string, GitFailed>) => Effect.flip(run)

/** Returns the number in groups of seven bits, the lowest first, as packs have it. */
const inGroups = (number: number): ReadonlyArray<number> =>
  number < 128 ? [number] : [(number % 128) + 128, ...inGroups(Math.floor(number / 128))]

/** Returns the head of an object in a pack. */
const headOf = (type: number, size: number): ReadonlyArray<number> =>
  size < 16 ? [type * 16 + size] : [128 + type * 16 + (size % 16), ...inGroups(Math.floor(size / 16))]

/** Makes a small pack with an object of 16 MiB, and another one that is `times` as large. */
const expandingPack = (times: number): Buffer => {
  const base = Buffer.alloc(2 ** 24 - 1)
  const id = createHash("sha1").update(`blob ${base.length}\0`).update(base).digest()
  const copyOfAll = [0xf0, 0xff, 0xff, 0xff]
  const copies = Array<ReadonlyArray<number>>(times).fill(copyOfAll).flat()
  const delta = Buffer.from([...inGroups(base.length), ...inGroups(base.length * times), ...copies])
  const pack = Buffer.concat([
    Buffer.from("PACK\0\0\0\u0002\0\0\0\u0002"),
    Buffer.from(headOf(3, base.length)),
    deflateSync(base),
    Buffer.from(headOf(7, delta.length)),
    id,
    deflateSync(delta)
  ])
  return Buffer.concat([pack, createHash("sha1").update(pack).digest()])
}

describe("the git program", () => {
  // Invariant I23.
  it.live("receives each argument unchanged, without a shell", () =>
    Effect.gen(function* () {
      const args = ["$(touch pwned)", "`id`", "a b", "a\nb", "'\"", "; ls", "*", ""]
      const said = yield* runGit({ args, environment: instead(`for each; do printf '%s\\0' "$each"; done`) })
      expect(said.split("\0").slice(-args.length - 1, -1)).toEqual(args)
    })
  )

  it.live("allocates no more than its limit for a pack that expands (invariant I25)", () =>
    Effect.gen(function* () {
      const bare = join(folder, "bomb.git")
      yield* runGit({ args: ["init", "--quiet", "--bare", "--template=", bare] })
      const receive = runGit({ args: [`--git-dir=${bare}`, "index-pack", "--stdin"], input: expandingPack(64) })
      expect((yield* failure(receive)).said).toMatch(/attempting to allocate \d+ over limit/)
      yield* runGit({ args: [`--git-dir=${bare}`, "index-pack", "--stdin"], input: expandingPack(2) })
    })
  )

  it.live("ignores the machine's git settings, hooks and helpers, and the service's environment", () =>
    Effect.gen(function* () {
      const listed = yield* runGit({ args: ["config", "--list", "--show-scope"] })
      expect(listed.split("\n").filter((each) => each !== "" && !each.startsWith("command\t"))).toEqual([])
      for (const setting of ["core.hookspath=/dev/null", "protocol.allow=never", "credential.helper="]) {
        expect(listed).toContain(`command\t${setting}\n`)
      }
      const names = (yield* runGit({ args: [], environment: instead("env") }))
        .split("\n")
        .flatMap((each) => /^(\w+)=/.exec(each)?.[1] ?? [])
      const known =
        /^(PATH|HOME|LC_ALL|PWD|OLDPWD|SHLVL|_|GIT_(ALLOC_LIMIT|CONFIG_GLOBAL|CONFIG_NOSYSTEM|ATTR_NOSYSTEM|TERMINAL_PROMPT|OPTIONAL_LOCKS))$/
      expect(names.filter((name) => !known.test(name))).toEqual([])
    })
  )

  it.live("fetches from no other repository by any protocol", () =>
    Effect.gen(function* () {
      for (const address of [
        "file:///etc",
        "ext::sh -c true",
        "https://127.0.0.1:1/x",
        "ssh://127.0.0.1:1/x",
        "/etc"
      ]) {
        const { exitCode, said } = yield* failure(runGit({ args: ["ls-remote", "--", address] }))
        expect([address, exitCode, /not allowed/.test(said)]).toEqual([address, 128, true])
      }
    })
  )

  // Invariant I25.
  it.live("is stopped at its output limit", () =>
    Effect.gen(function* () {
      const endless = { args: ["x"], environment: instead("yes") }
      const { exitCode, said } = yield* failure(runGit(endless, { ...limits, output: 10_000 }))
      expect([exitCode, /wrote too much/.test(said)]).toEqual([undefined, true])
    })
  )

  // Invariant I25.
  it.live("is stopped at its timeout, also when it ignores SIGTERM", () =>
    Effect.gen(function* () {
      const pids = join(folder, "timeout")
      const stubborn = instead(`trap '' TERM\necho $$ > ${pids}\nwhile :; do sleep 0.05; done`)
      const { exitCode } = yield* failure(
        runGit({ args: ["x"], environment: stubborn }, { ...limits, timeout: Duration.millis(300) })
      )
      expect(exitCode).toBeUndefined()
      expect(isAlive(Number(yield* lineOf(pids)))).toBe(false)
    })
  )

  it.live("has exited when its interruption completes, and gets a grace period to remove its locks", () =>
    Effect.gen(function* () {
      for (const [name, trap, expected] of [
        ["gentle", "echo tidied > $out; exit 0", "tidied"],
        ["stubborn", "", ""]
      ] as const) {
        const [pids, out] = [join(folder, name), join(folder, `${name}-out`)]
        writeFileSync(out, "")
        const program = instead(`out=${out}\ntrap '${trap}' TERM\necho $$ > ${pids}\nwhile :; do sleep 0.05; done`)
        const running = yield* Effect.forkChild(runGit({ args: ["x"], environment: program }, limits))
        const pid = Number(yield* lineOf(pids))
        yield* Fiber.interrupt(running)
        expect([name, isAlive(pid), readFileSync(out, "utf8").trim()]).toEqual([name, false, expected])
      }
    })
  )

  it.live("reports the reason of a failure, with its command and its exit code", () =>
    Effect.gen(function* () {
      const failed = yield* failure(runGit({ args: ["cat-file", "blob", "refs/heads/secret-name"] }))
      expect([failed.command, failed.exitCode]).toEqual(["cat-file", 128])
      const missing = yield* failure(runGit({ args: ["version"], environment: { PATH: folder } }))
      expect([missing.exitCode, /ENOENT/.test(missing.said)]).toEqual([undefined, true])
    })
  )
})
