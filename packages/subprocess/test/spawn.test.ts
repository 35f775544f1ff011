import { execFileSync, spawn as spawnByNode } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Duplex, Readable } from "node:stream"
import { buffer, text } from "node:stream/consumers"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { isAlive } from "@slipway/subprocess/testing"
import { ForkServer } from "../src/forkServer/ForkServer.ts"
import type { Program, SpawnOptions } from "../src/Program.ts"
import { spawn } from "../src/spawn.ts"

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
  it("emits its exit code after its output is read", async () => {
    const program = start(...sh("cat; echo said >&2; exit 3"))
    program.stdin.end("given")
    const told = await Promise.all([text(program.stdout), text(program.stderr), endOf(program)])
    assert.deepStrictEqual(told, ["given", "said\n", [3, null]])
    assert.deepStrictEqual([program.exitCode, program.signalCode], [3, null])
  })

  it("receives arguments and environment unchanged, and starts in the root directory (invariant I23)", async () => {
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

  it("is killed by a signal, even before its start is confirmed", async () => {
    const program = start("sleep", ["60"])
    program.kill("SIGKILL")
    assert.deepStrictEqual(await endOf(program), [null, "SIGKILL"])
    program.kill()
  })

  it("reports why it cannot start", async () => {
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

  it("streams much input and output, and waits for its reader", async () => {
    const sent = Buffer.alloc(20_000_000, "0123456789")
    const program = start(...sh("cat; sleep 0.01; exit 0"))
    program.stdin.end(sent)
    await new Promise((next) => setTimeout(next, 50))
    const [found, end] = await Promise.all([buffer(program.stdout), endOf(program)])
    const hash = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex")
    assert.deepStrictEqual([hash(found), end], [hash(sent), [0, null]])
  })

  it("has a fourth pipe in both directions, which blocks like a file", async () => {
    const program = start("sh", ["-c", 'read -r asked <&3; echo "$asked, heard" >&3'], { pipes: 4 })
    const pipe = program.stdio[3] as Duplex
    await new Promise((next) => setTimeout(next, 30))
    pipe.write("a question\n")
    assert.deepStrictEqual(await Promise.all([text(pipe as Readable), endOf(program)]), [
      "a question, heard\n",
      [0, null]
    ])
  })

  it("starts a separate process group on request", async () => {
    const groups = async (isDetached: boolean) => {
      const program = start(...sh("cut -d ' ' -f 1,5 /proc/$$/stat"), { isDetached })
      const [found] = await Promise.all([text(program.stdout), endOf(program)])
      const [pid, group] = found.trim().split(/\s+/)
      return pid === group
    }
    assert.deepStrictEqual([await groups(true), await groups(false)], [true, false])
  })

  it("receives its own input when 100 programs start concurrently", async () => {
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

  it("exits even if its output is not read", async () => {
    assert.deepStrictEqual(await endOf(start("echo", ["for nobody"])), [0, null])
  })
})

/** Returns the socket path of a fork server, and its process id. */
const pathOf = async (of: ForkServer) => {
  const program = of.spawn(...sh("echo $PPID"), { environment })
  const [pid] = await Promise.all([text(program.stdout), endOf(program)])
  const lines = readFileSync("/proc/net/unix", "utf8").split("\n")
  const sockets = readdirSync(`/proc/${pid.trim()}/fd`).flatMap((fd) => inodeOf(pid.trim(), fd))
  const found = lines.flatMap((each) => {
    const [inode, path] = each.trim().split(/\s+/).slice(6)
    return path?.includes("slipway-fork-") === true && sockets.includes(inode ?? "") ? [path] : []
  })
  return { pid: Number(pid), path: found[0] ?? "" }
}

const inodeOf = (pid: string, fd: string): ReadonlyArray<string> => {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.slice(1) ?? []
  } catch {
    return []
  }
}

const said = async (program: Program) => (await Promise.all([text(program.stdout), endOf(program)]))[0]

describe("the pipes of a fork-server program", () => {
  it("are never confused with unauthenticated connections that arrive before, between or after them (invariant I1)", async () => {
    const own = await ready()
    const { path } = await pathOf(own)
    assert.strictEqual(statSync(dirname(path)).mode & 0o777, 0o700)
    const silent = connect(path).on("error", () => {})
    const liar = connect(path).on("error", () => {})
    liar.write(`${"0".repeat(36)}0 and what is no program's`)
    const gone = connect(path).on("error", () => {})
    gone.destroy()
    const strangers = [silent, liar]
    const found = await Promise.all(
      Array.from({ length: 20 }, (_, at) => {
        const program = own.spawn(...sh("cat; echo of it"), { environment })
        strangers.push(connect(path).on("error", () => {}))
        program.stdin.end(`the ${at}th `)
        return said(program)
      })
    )
    assert.deepStrictEqual(
      found,
      Array.from({ length: 20 }, (_, at) => `the ${at}th of it\n`)
    )
    assert.deepStrictEqual([silent.bytesRead, liar.bytesRead], [0, 0])
    for (const each of strangers) each.destroy()
    own.end()
  })

  it("kill only their own program when one of them is destroyed before the start", async () => {
    const [first, put, last] = [1, 2, 3].map((at) => server.spawn(...sh(`cat; echo ${at}`), { environment }))
    put?.stdout.destroy()
    for (const each of [first, last]) each?.stdin.end()
    assert.deepStrictEqual(await endOf(put as Program), [null, "SIGKILL"])
    assert.deepStrictEqual(await Promise.all([said(first as Program), said(last as Program)]), ["1\n", "3\n"])
  })

  it("are all created, or the start fails, when the server has no file descriptors left", async () => {
    const own = await ready()
    const { pid } = await pathOf(own)
    const limit = (files: number) => execFileSync("prlimit", ["--pid", String(pid), `--nofile=${files}:4096`])
    const files = readdirSync(`/proc/${pid}/fd`).length
    limit(files + 8)
    const programs = Array.from({ length: 8 }, (_, at) => {
      const program = own.spawn(...sh("cat; exit 0"), { environment })
      program.stdin.end(`the ${at}th`)
      return program
    })
    const ends = await Promise.all(
      programs.map(async (program, at) => {
        const end = endOf(program).then(
          ([exitCode]) => exitCode,
          ({ code }: NodeJS.ErrnoException) => code
        )
        const found = await text(program.stdout).catch(() => "")
        return found === `the ${at}th` || (found === "" && (await end) !== 0)
      })
    )
    assert.deepStrictEqual(new Set(ends), new Set([true]))
    limit(1024)
    assert.strictEqual(await said(own.spawn("echo", ["again"], { environment })), "again\n")
    own.end()
  })
})

describe("a fork server", () => {
  it("kills its programs when it is killed, and reports that it is gone", async () => {
    const own = await ready()
    const program = own.spawn("sh", ["-c", "echo $PPID; exec cat"], { environment })
    const end = endOf(program)
    const [pid] = await once(program.stdout, "data")
    process.kill(Number(pid), "SIGKILL")
    assert.deepStrictEqual([await end, own.isGone, own.isReady], [[null, "SIGKILL"], true, false])
  })

  it("exits with its process, even when that is killed, and removes its folder", async () => {
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
    rmSync(folder, { recursive: true })
  })

  it("keeps its programs and starts no new ones when its folder is removed", async () => {
    const own = await ready()
    const { path } = await pathOf(own)
    const program = own.spawn("cat", [], { environment })
    program.stdin.write("before, ")
    const [before] = await once(program.stdout, "data")
    rmSync(dirname(path), { recursive: true })
    assert.deepStrictEqual([own.hasRoom, own.isReady, own.isGone], [false, false, true])
    program.stdin.end("after")
    assert.strictEqual(String(before) + (await said(program)), "before, after")
    own.end()
  })

  it("runs 100 programs concurrently, and rejects more", async () => {
    const own = await ready()
    const programs = Array.from({ length: 100 }, () => own.spawn("cat", [], { environment }))
    assert.strictEqual(own.hasRoom, false)
    programs[0]?.stdin.end()
    await endOf(programs[0] as Program)
    assert.strictEqual(own.hasRoom, true)
    own.end()
  })

  it("leaves no folder when it is killed", async () => {
    const own = await ready()
    const { path, pid } = await pathOf(own)
    process.kill(pid, "SIGKILL")
    while (existsSync(dirname(path))) await new Promise((next) => setTimeout(next, 5))
    assert.deepStrictEqual([own.isGone, own.hasRoom], [true, false])
  })
})

/** Runs a script in a process, and returns its output and its error output. */
const script = async (words: string, { before = "", flags = [] as ReadonlyArray<string>, folder = "" }) => {
  const module = (name: string) => JSON.stringify(join(import.meta.dirname, "..", "src", name))
  const head = `
    const { spawn } = await import(${module("spawn.ts")})
    const { ForkServer } = await import(${module("forkServer/ForkServer.ts")})
    const started = (...words) => spawn(...words, { environment: { PATH: "/usr/bin:/bin" } })`
  const node = [process.execPath, ...flags, "--input-type=module", "-e", `${head}\n${words}`]
  const child = spawnByNode("sh", ["-c", `${before} exec "$@"`, "sh", ...node], { env: { TMPDIR: folder } })
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")])
  return [out, err]
}

describe("a process without a fork server", () => {
  const permission = ["--permission", "--allow-fs-read=*", "--allow-child-process", "--disable-warning=SecurityWarning"]
  const refused = `
    const program = started("sh", ["-c", "echo $PPID"])
    program.stdout.on("data", (pid) => console.log(Number(pid) === process.pid))
    const server = new ForkServer()
    while (!server.isGone && !server.isReady) await new Promise((next) => setTimeout(next, 5))
    console.log(server.wasReady)`

  it.each([
    ["its folder is missing", "not-there", []],
    ["its socket path would be too long", "x".repeat(100), []],
    ["it may write no files", "", permission],
    ["it may not listen", "", [...permission, "--allow-fs-write=*"]]
  ])("starts programs itself, without output and leftovers, when %s", async (_, name, flags) => {
    const parent = mkdtempSync(join(tmpdir(), "slipway-spawn-test-"))
    const folder = join(parent, name)
    if (name !== "not-there") mkdirSync(folder, { recursive: true })
    assert.deepStrictEqual(await script(refused, { flags, folder }), ["true\nfalse\n", ""])
    assert.deepStrictEqual(existsSync(folder) ? readdirSync(folder) : [], [])
    rmSync(parent, { recursive: true })
  })

  it("fails with the error of Node when it may not start programs", async () => {
    const words = `started("true", []).once("error", ({ code }) => console.log(code))`
    assert.deepStrictEqual(await script(words, { flags: ["--permission", "--allow-fs-read=*"], folder: tmpdir() }), [
      "ERR_ACCESS_DENIED\n",
      ""
    ])
  })

  it("fails with EMFILE when it has no file descriptors left", async () => {
    const words = `
      const { openSync, closeSync } = await import("node:fs")
      const open = []
      try { for (;;) open.push(openSync("/dev/null")) } catch {}
      const program = started("true", [])
      program.stdout.on("data", () => {})
      const { code } = await new Promise((next) => program.once("error", next))
      for (const each of open) closeSync(each)
      console.log(code)`
    assert.deepStrictEqual(await script(words, { before: "ulimit -n 64;", folder: tmpdir() }), ["EMFILE\n", ""])
  })

  it("exits without leftover files or output, also directly after it creates a fork server", async () => {
    const folder = mkdtempSync(join(tmpdir(), "slipway-spawn-test-"))
    assert.deepStrictEqual(await script("new ForkServer(); process.exit()", { folder }), ["", ""])
    assert.deepStrictEqual(await script(`started("true", [])`, { folder }), ["", ""])
    assert.deepStrictEqual(readdirSync(folder), [])
    rmSync(folder, { recursive: true })
  })
})
