import { spawn as spawnByNode } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, rmdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Duplex, Readable } from "node:stream"
import { buffer, text } from "node:stream/consumers"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { isAlive } from "@slipway/subprocess/testing"
import { ForkServer } from "../src/forkServer/ForkServer.ts"
import { type Program, type SpawnOptions, spawn } from "../src/spawn.ts"

const environment = { PATH: "/usr/bin:/bin" }

const ready = async (): Promise<ForkServer> => {
  const server = new ForkServer()
  while (!server.isReady) await new Promise((next) => setTimeout(next, 5))
  return server
}

type Spawn = (program: string, args: ReadonlyArray<string>, options?: Partial<SpawnOptions>) => Program

const server = await ready()
afterAll(() => server.end())
const ways: ReadonlyArray<readonly [string, Spawn]> = [
  ["by this process or its server", (program, args, more) => spawn(program, args, { environment, ...more })],
  ["by a server", (program, args, more) => server.spawn(program, args, { environment, ...more })]
]

const endOf = (program: Program) =>
  new Promise<readonly [number | null, string | null]>((resolve, reject) => {
    program.once("close", (...end) => resolve(end))
    program.once("error", reject)
  })

const sh = (words: string) => ["sh", ["-c", words]] as const

describe.each(ways)("a program that is started %s", (_, start) => {
  it("tells how it ended when all that it wrote was read", async () => {
    const program = start(...sh("cat; echo said >&2; exit 3"))
    program.stdin.end("given")
    const told = await Promise.all([text(program.stdout), text(program.stderr), endOf(program)])
    assert.deepStrictEqual(told, ["given", "said\n", [3, null]])
    assert.deepStrictEqual([program.exitCode, program.signalCode], [3, null])
  })

  it("takes words as they are, has the environment that it is given, and begins at the root (invariant I23)", async () => {
    const words = ["$(id)", "`id`", "a b", "a\nb", "'\"", "; ls", "*", "", "ü"]
    const one = start("sh", ["-c", "printf '%s\\0' \"$@\"; env; pwd", "sh", ...words], {
      environment: { ...environment, GIVEN: "1" }
    })
    const [found] = await Promise.all([text(one.stdout), endOf(one)])
    const parts = found.split("\0")
    assert.deepStrictEqual(parts.slice(0, -1), words)
    assert.sameMembers(
      (parts.at(-1) ?? "").split("\n").filter((line) => !/^(?:_|SHLVL|OLDPWD)=/.test(line)),
      ["PATH=/usr/bin:/bin", "GIVEN=1", "PWD=/", "/", ""]
    )
  })

  it("ends by a signal, before it was told to have begun too", async () => {
    const program = start("sleep", ["60"])
    program.kill("SIGKILL")
    assert.deepStrictEqual(await endOf(program), [null, "SIGKILL"])
    program.kill()
  })

  it("that can't be started says why", async () => {
    for (const [name, args, code] of [
      ["not-there", [], "ENOENT"],
      ["/", [], "EACCES"],
      ["true", ["x".repeat(4_000_000)], "E2BIG"]
    ] as const) {
      const program = start(name, args)
      const [error] = await once(program as never, "error")
      assert.deepStrictEqual([error.code, program.exitCode !== null], [code, true])
    }
  })

  it("is given and writes much, and waits for whoever reads", async () => {
    const sent = Buffer.alloc(20_000_000, "0123456789")
    const program = start(...sh("cat; sleep 0.01; exit 0"))
    program.stdin.end(sent)
    await new Promise((next) => setTimeout(next, 50))
    const [found, end] = await Promise.all([buffer(program.stdout), endOf(program)])
    const hash = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex")
    assert.deepStrictEqual([hash(found), end], [hash(sent), [0, null]])
  })

  it("has a fourth pipe that leads both ways, and blocks as files do", async () => {
    const program = start("sh", ["-c", 'read -r asked <&3; echo "$asked, heard" >&3'], { pipes: 4 })
    const pipe = program.stdio[3] as Duplex
    await new Promise((next) => setTimeout(next, 30))
    pipe.write("a question\n")
    assert.deepStrictEqual(await Promise.all([text(pipe as Readable), endOf(program)]), [
      "a question, heard\n",
      [0, null]
    ])
  })

  it("leads a group of its own where that is asked for", async () => {
    const groups = async (isDetached: boolean) => {
      const program = start(...sh("cut -d ' ' -f 1,5 /proc/$$/stat"), { isDetached })
      const [found] = await Promise.all([text(program.stdout), endOf(program)])
      const [pid, group] = found.trim().split(/\s+/)
      return pid === group
    }
    assert.deepStrictEqual([await groups(true), await groups(false)], [true, false])
  })

  it("gets its own, however many are started at once", async () => {
    const found = await Promise.all(
      Array.from({ length: 100 }, async (_, at) => {
        const program = start(...sh("cat; cat <&0 >&2; exit $1"), {})
        program.stdin.end(`the ${at}th`)
        return (await Promise.all([text(program.stdout), endOf(program)]))[0]
      })
    )
    assert.deepStrictEqual(
      found,
      Array.from({ length: 100 }, (_, at) => `the ${at}th`)
    )
  })

  it("is closed though nobody reads what it writes", async () => {
    assert.deepStrictEqual(await endOf(start("echo", ["for nobody"])), [0, null])
  })
})

describe("a fork server", () => {
  it("that is killed leaves nobody waiting, and is told to be gone", async () => {
    const own = await ready()
    const program = own.spawn("sh", ["-c", "echo $PPID; exec cat"], { environment })
    const end = endOf(program)
    const [pid] = await once(program.stdout, "data")
    process.kill(Number(pid), "SIGKILL")
    assert.deepStrictEqual([await end, own.isGone, own.isReady], [[null, "SIGKILL"], true, false])
  })

  it("ends with the process that it serves, be that killed, and takes its folder away", async () => {
    const module = join(import.meta.dirname, "..", "src", "forkServer", "ForkServer.ts")
    const script = `
      const { ForkServer } = await import(${JSON.stringify(module)})
      const server = new ForkServer()
      while (!server.isReady) await new Promise((next) => setTimeout(next, 5))
      const program = server.spawn("sh", ["-c", "echo $PPID; read -r end"], { environment: { PATH: "/usr/bin:/bin" } })
      program.stdout.once("data", (pid) => console.log(String(pid).trim()))`
    const folder = mkdtempSync(join(tmpdir(), "slipway-spawn-test-"))
    const parent = spawnByNode(process.execPath, ["--input-type=module", "-e", script], { env: { TMPDIR: folder } })
    const [said] = await once(parent.stdout, "data")
    const pid = Number(said)
    assert.strictEqual(readdirSync(folder).length, 1)
    assert.match(readFileSync(`/proc/${pid}/cmdline`, "utf8"), /forkServer/)
    parent.kill("SIGKILL")
    while (isAlive(pid)) await new Promise((next) => setTimeout(next, 5))
    assert.deepStrictEqual(readdirSync(folder), [])
    rmdirSync(folder)
  })
})
