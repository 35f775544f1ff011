import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { connect, createServer } from "node:net"
import { join } from "node:path"
import { ServiceProcesses } from "@slipway/http/testing"
import { postgresMissing, testDatabase } from "@slipway/sql/testing"
import { childrenOf } from "@slipway/subprocess/testing"
import { Effect, Exit, Redacted, Scope } from "effect"
import { afterAll, describe, expect, test } from "vitest"
import { workplace } from "./support/git.ts"

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Json = any

const forge = new ServiceProcesses(join(import.meta.dirname, "..", "src", "main.ts"))
const scope = Scope.makeUnsafe()
const places: Array<ReturnType<typeof workplace>> = []
const password = "correct horse battery"
const authorization = `Basic ${Buffer.from(`ann:${password}`).toString("base64")}`
const people = { FORGE_ADMIN_USERNAME: "ann", FORGE_ADMIN_PASSWORD: password }
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

afterAll(async () => {
  for (const each of places) each.remove()
  await forge.end()
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

/** A database on the tests' server, which is available right after a kill; embedded if there is no server. */
const database = async () =>
  postgresMissing() === undefined
    ? { DATABASE_URL: Redacted.value((await Effect.runPromise(Scope.provide(testDatabase, scope))).url) }
    : {}

const place = (environment: Readonly<Record<string, string>> = {}) => {
  const made = workplace(environment)
  places.push(made)
  return made
}

const asker =
  (base: string) =>
  async (method: string, path: string, body?: unknown): Promise<Json> => {
    const answer = await fetch(`${base}/api/v1${path}`, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return answer.json()
  }

const address = (base: string, path: string) =>
  `${base.replace("://", `://ann:${encodeURIComponent(password)}@`)}/${path}`

/** A free port: LFS addresses over SSH contain the configured port. */
const freePort = () =>
  new Promise<string>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(String(port)))
    })
  })

const until = async (is: () => boolean | Promise<boolean>) => {
  for (let tries = 0; !(await is()); tries++) {
    if (tries > 6_000) throw new Error("it did not come to that")
    await sleep(5)
  }
}

/** Returns the command line of a process, or nothing if it exited. */
const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8")
  } catch {
    return ""
  }
}

const packetLine = (text: string) => `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, "0")}${text}`

describe("git under failures", () => {
  test("a push killed halfway changes nothing, and one that git completed is recorded with its event once", async () => {
    const directory = forge.directory()
    const ann = place()
    // Another process takes over the work of a killed one after this time.
    const settings = { ...people, ...(await database()), FORGE_JOB_LEASE: "1", FORGE_SSH_PORT: "off" }
    const first = forge.start(directory, settings)
    let base = await first.listening()
    await asker(base)("POST", "/user/repos", { name: "killed", auto_init: true })
    await ann.git(["clone", "-q", address(base, "ann/killed.git"), "work"])
    const work = join(ann.home, "work")
    const git = (...args: ReadonlyArray<string>) =>
      execFileSync("git", args, { cwd: work, encoding: "utf8", env: { ...process.env, HOME: ann.home } }).trim()
    const old = git("rev-parse", "HEAD")
    writeFileSync(join(work, "large"), randomBytes(3_000_000))
    await ann.git(["-C", "work", "add", "-A"])
    await ann.git(["-C", "work", "commit", "-q", "-m", "large"])
    const next = git("rev-parse", "HEAD")
    const pack = execFileSync("git", ["pack-objects", "--stdout", "--revs", "-q"], {
      cwd: work,
      input: `${next}\n^${old}\n`,
      maxBuffer: 10_000_000
    })
    const repositories = join(directory, ".slipway", "forge-repositories", "repositories", "0")
    const [folder = ""] = readdirSync(repositories)
    const objects = join(repositories, folder, "objects")
    const tip = () => readFileSync(join(repositories, folder, "refs", "heads", "main"), "utf8").trim()
    const left = () => readdirSync(objects).filter((name) => name.startsWith("tmp_objdir"))
    // Half of the pack has arrived when the service is killed.
    const { hostname, port } = new URL(base)
    const line = packetLine(`${old} ${next} refs/heads/main\0report-status\n`)
    const body = Buffer.concat([Buffer.from(`${line}0000`), pack])
    const half = connect(Number(port), hostname)
    half.on("error", () => {})
    half.write(
      `POST /ann/killed.git/git-receive-pack HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n` +
        `Content-Type: application/x-git-receive-pack-request\r\nContent-Length: ${body.length}\r\n\r\n`
    )
    half.write(body.subarray(0, body.length / 2))
    await until(() => left().length > 0)
    await first.stop("SIGKILL")
    half.destroy()
    expect([tip(), left().length]).toEqual([old, 1])
    // As if it were older: the next push deletes the leftovers.
    const turns = join(directory, ".slipway", "forge-repositories", "turns")
    for (const path of [
      ...left().map((name) => join(objects, name)),
      ...readdirSync(turns).map((name) => join(turns, name))
    ])
      utimesSync(path, 1, 1)

    // Git has moved the ref when the service is killed, before it could respond.
    const second = forge.start(directory, settings)
    base = await second.listening()
    const pushed = ann.git(["-C", "work", "push", "-q", address(base, "ann/killed.git"), "HEAD"])
    await until(() => tip() === next)
    await second.stop("SIGKILL")
    await pushed
    expect(left()).toEqual([])
    const third = forge.start(directory, settings)
    base = await third.listening()
    expect(tip()).toBe(next)
    const events = async (): Promise<Json> =>
      (await asker(base)("GET", "/admin/audit?action=git.push")).map((each: Json) => each.details.after)
    await until(async () => (await events()).length > 0)
    await sleep(1_500)
    expect(await events()).toEqual([next])
    expect((await ann.git(["-C", "work", "fsck", "--full"])).code).toBe(0)
    expect(
      execFileSync("git", [`--git-dir=${join(repositories, folder)}`, "fsck", "--full"], { encoding: "utf8" })
    ).toBe("")
  }, 120_000)

  test("300 concurrent clones are served a few at a time or get 503, in bounded memory; LFS works over SSH", async () => {
    const service = forge.start(forge.directory(), {
      ...people,
      FORGE_DATABASE_URL: "memory:",
      FORGE_GIT_CLIENTS: "4",
      FORGE_PORT: await freePort()
    })
    const base = await service.listening()
    const ask = asker(base)
    const key = place()
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(key.home, "key")])
    const options = ["-F", "/dev/null", "-o", "StrictHostKeyChecking=no", "-o", `UserKnownHostsFile=${key.home}/known`]
    const ssh = ["ssh", ...options, "-o", "IdentitiesOnly=yes", "-o", "LogLevel=ERROR", "-i", join(key.home, "key")]
    const ann = place({ GIT_SSH_COMMAND: ssh.join(" ") })
    const [, url = ""] = await service.said(/Git by SSH (ssh:\S+)\/owner\/name\.git/)
    await ask("POST", "/user/keys", { title: "ann", key: readFileSync(join(key.home, "key.pub"), "utf8") })
    await ask("POST", "/user/repos", { name: "large", auto_init: true })

    expect(await ann.git(["clone", "-q", `${url}/ann/large.git`, "work"])).toMatchObject({ code: 0 })
    const work = (...args: ReadonlyArray<string>) => ann.git(["-C", "work", ...args])
    await ann.git(["lfs", "install"])
    await work("lfs", "track", "*.bin")
    writeFileSync(join(ann.home, "work", "a.bin"), "x".repeat(100_000))
    writeFileSync(join(ann.home, "work", "large"), randomBytes(1_000_000))
    await work("add", "-A")
    await work("commit", "-q", "-m", "large")
    expect(await work("push", "-q")).toMatchObject({ code: 0, err: "" })
    expect(await ann.git(["clone", "-q", `${url}/ann/large.git`, "again"])).toMatchObject({ code: 0 })
    expect(readFileSync(join(ann.home, "again", "a.bin"), "utf8") === "x".repeat(100_000)).toBe(true)

    const [tip = ""] = (await work("rev-parse", "HEAD")).out.split("\n")
    const wanted = `${packetLine(`want ${tip} no-progress\n`)}0000${packetLine("done\n")}`
    const programs = () =>
      childrenOf(service.pid).flatMap((pid) => (commandOf(pid).includes("forkServer") ? childrenOf(pid) : [pid]))
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, programs().length)
    }, 20)
    const clone = (body: Buffer | ReadableStream = Buffer.from(wanted)) =>
      fetch(`${base}/ann/large.git/git-upload-pack`, {
        method: "POST",
        headers: { "content-type": "application/x-git-upload-pack-request" },
        body: body as never,
        duplex: "half"
      } as RequestInit).then(async (answer) => {
        if (answer.status === 503) refused += 1
        const bytes = (await answer.arrayBuffer()).byteLength
        return { status: answer.status, after: answer.headers.get("retry-after"), whole: bytes > 1_000_000 }
      })
    let refused = 0
    // The first four hold all slots until they send their request, after all others have connected.
    const late = Array.from({ length: 4 }, () => {
      let say = () => {}
      const body = new ReadableStream({
        start: (to) => {
          to.enqueue(Buffer.from(wanted.slice(0, 4)))
          say = () => {
            to.enqueue(Buffer.from(wanted.slice(4)))
            to.close()
          }
        }
      })
      return { say, answer: clone(body) }
    })
    await until(() => programs().filter((pid) => commandOf(pid).includes("upload-pack")).length === 4)
    const others = Array.from({ length: 296 }, () => clone())
    await until(() => refused === 40)
    for (const { say } of late) say()
    const answers = await Promise.all([...late.map(({ answer }) => answer), ...others])
    clearInterval(watch)
    const count = (status: number) => answers.filter((each) => each.status === status).length
    expect(count(200) + count(503)).toBe(300)
    expect(count(503)).toBeGreaterThanOrEqual(40)
    expect(new Set(answers.map(({ after, status, whole }) => `${status} ${after} ${whole}`))).toEqual(
      new Set(["200 null true", "503 10 false"])
    )
    // Four processes for clients; the others read objects and stay.
    expect(most).toBeLessThanOrEqual(8)
    const [, peak = "0"] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.pid}/status`, "utf8")) ?? []
    expect(Number(peak) / 1024).toBeLessThan(600)
    // Rejections in one second share one log line.
    const lines = service.stderr.trim().split("\n")
    expect(lines.length).toBeLessThan(count(503))
    for (const line of lines) expect(line).toMatch(/unavailable=limit$/)
  }, 120_000)
})
