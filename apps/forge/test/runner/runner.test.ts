import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { dirname, join } from "node:path"
import { blocksOf, ServiceProcesses } from "@slipway/http/testing"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { workplace } from "../support/git.ts"
import { actions, site } from "./files.ts"

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Json = any

const variable = "SLIPWAY_TEST_RUNNER"
const program = process.env[variable] ?? ""
const missing = program === "" ? `a runner is missing: ${variable} is the path of its program` : undefined
if (missing !== undefined) process.stdout.write(`skipped: ${missing}\n`)

const forge = new ServiceProcesses(join(import.meta.dirname, "..", "..", "src", "main.ts"))
const password = "correct horse battery"
const authorization = `Basic ${Buffer.from(`ann:${password}`).toString("base64")}`
const ann = workplace()
const at = "/repos/ann/site/actions"
let base = ""
let runner: ChildProcess | undefined
let output = ""

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

const ask = async (method: string, path: string, body?: unknown): Promise<Json> => {
  const response = await fetch(`${base}/api/v1${path}`, {
    method,
    headers: { authorization, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  expect([200, 201, 202, 204], `${method} ${path}: ${response.status} ${text}`).toContain(response.status)
  return text === "" || !text.startsWith("{") ? text : JSON.parse(text)
}

/** Creates a repository with files, pushes them to main, and tags the commit if a tag is given. */
const push = async (repository: string, files: Readonly<Record<string, string>>, tag?: string) => {
  const name = repository.replace("/", "-")
  await ann.git(["init", "-q", "-b", "main", name])
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(ann.home, name, path)), { recursive: true })
    writeFileSync(join(ann.home, name, path), text)
  }
  await ann.git(["-C", name, "add", "-A"])
  await ann.git(["-C", name, "commit", "-q", "-m", `Add ${name}`])
  const remote = `${base.replace("://", `://ann:${encodeURIComponent(password)}@`)}/${repository}.git`
  await ann.git(["-C", name, "remote", "add", "origin", remote])
  const refs = tag === undefined ? ["main"] : ["main", `main:refs/tags/${tag}`]
  expect(await ann.git(["-C", name, "push", "-q", "origin", ...refs])).toMatchObject({ code: 0 })
}

const runsOf = async (workflow: string): Promise<ReadonlyArray<Json>> =>
  (await ask("GET", `${at}/runs?limit=50`)).workflow_runs.filter((run: Json) => run.path.includes(workflow))

/** Waits until a workflow has as many completed runs, and returns them, the newest first. */
const completed = (workflow: string, count = 1): Promise<ReadonlyArray<Json>> =>
  vi.waitUntil(
    async () => {
      const runs = await runsOf(workflow)
      return runs.length >= count && runs.every(({ status }) => status === "completed") ? runs : undefined
    },
    { timeout: 150_000, interval: 500 }
  )

const jobsOf = async ({ id }: Json): Promise<ReadonlyArray<Json>> => (await ask("GET", `${at}/runs/${id}/jobs`)).jobs

const conclusionsOf = async (run: Json): Promise<ReadonlyArray<string>> =>
  (await jobsOf(run)).map(({ conclusion, name }) => `${name}: ${conclusion}`).toSorted()

/** Returns the lines of a job's log, without their times. */
const linesOf = async (run: Json, job: string): Promise<ReadonlyArray<string>> => {
  const found = (await jobsOf(run)).find(({ name }) => name === job)
  const log: string = await ask("GET", `${at}/jobs/${found.id}/logs`)
  return log.split("\n").map((line) => line.slice(line.indexOf(" ") + 1).replace(/^\s+\| /, ""))
}

const dispatch = (workflow: string, inputs: Readonly<Record<string, unknown>> = {}) =>
  ask("POST", `${at}/workflows/${workflow}/dispatches`, { ref: "main", inputs })

describe.skipIf(missing !== undefined)("a real runner", { timeout: 240_000 }, () => {
  beforeAll(async () => {
    const port = await freePort()
    const address = `http://127.0.0.1:${port}`
    const directory = forge.directory()
    const service = forge.start(directory, {
      FORGE_PORT: String(port),
      FORGE_DATABASE_URL: "memory:",
      FORGE_BLOBS: "file:blobs",
      FORGE_ADMIN_USERNAME: "ann",
      FORGE_ADMIN_PASSWORD: password,
      FORGE_SSH_PORT: "off",
      FORGE_ACTIONS_URL: address
    })
    base = await service.listening()
    await ask("POST", "/orgs", { username: "actions" })
    for (const [name, files] of Object.entries(actions)) {
      await ask("POST", "/orgs/actions/repos", { name, default_branch: "main" })
      await push(`actions/${name}`, files, "v1")
    }
    await ask("POST", "/user/repos", { name: "site", default_branch: "main", private: true })
    await ask("PUT", `${at}/secrets/DEPLOY_KEY`, { data: "open sesame" })
    await ask("POST", `${at}/variables/SITE`, { value: "harbour" })

    const { token } = await ask("POST", `${at}/runners/registration-token`)
    const home = join(directory, "runner")
    mkdirSync(home)
    const config = join(home, "config.yml")
    const settings = {
      runner: { file: join(home, ".runner"), capacity: 4, fetch_interval: "1s", fetch_interval_max: "1s" },
      cache: { enabled: false },
      host: { workdir_parent: join(home, "work") }
    }
    // Every JSON document is a YAML document.
    writeFileSync(config, JSON.stringify(settings))
    const env = { PATH: process.env["PATH"], HOME: home, program, config, runner_token: token }
    // The commands of the guide, with the settings of the test.
    const page = readFileSync(join(import.meta.dirname, "../../../../docs/guides/runners.md"), "utf8")
    const block = blocksOf(page).find(({ attributes }) => attributes.needs === "act-runner")
    const [register = "", daemon] = (block?.text ?? "").trimEnd().split("\n")
    const own = register.replace("https://forge.example", base).replace("linux:host", "host:host")
    const script = `act_runner() { "$program" "$@" -c "$config"; }\n${own}`
    execFileSync("bash", ["-c", script], { cwd: home, env, stdio: "pipe" })
    expect(daemon).toBe("act_runner daemon")
    runner = spawn(program, ["daemon", "-c", config], { cwd: home, env, stdio: ["ignore", "pipe", "pipe"] })
    for (const stream of [runner.stdout, runner.stderr]) stream?.on("data", (bytes) => (output += bytes))
    await push("ann/site", site)
  })

  afterAll(async () => {
    runner?.kill("SIGKILL")
    ann.remove()
    await forge.end()
  })

  test("runs a workflow for matching tags only", async () => {
    for (const tag of ["v1.2", "v1.20.3", "version-1.2.3"])
      expect((await ann.git(["-C", "ann-site", "push", "-q", "origin", `main:refs/tags/${tag}`])).code).toBe(0)
    const [run, ...others] = await completed("tags.yml")
    expect([run.conclusion, run.event, others], output).toEqual(["success", "push", []])
    expect(await linesOf(run, "release")).toContain("released v1.20.3 as tag")
  })

  test("runs a workflow for matching branches and paths only", async () => {
    for (const branch of ["release/old/1", "release/2", "other"])
      expect((await ann.git(["-C", "ann-site", "push", "-q", "origin", `main:refs/heads/${branch}`])).code).toBe(0)
    const [run, ...others] = await completed("paths.yml")
    expect([run.conclusion, others]).toEqual(["success", []])
    expect(await linesOf(run, "lint")).toContain("linted release/2")
  })

  test("gives typed inputs to expressions, and texts to the event", async () => {
    await dispatch("inputs.yml", { flag: "true", count: "3", level: "high", text: "a 'quoted' text" })
    const [on] = await completed("inputs.yml")
    expect(on.conclusion).toBe("success")
    const lines = await linesOf(on, "show")
    for (const line of ["count 3 level high text a 'quoted' text", "flag is on", "event flag is on"])
      expect(lines).toContain(line)
    expect(lines).not.toContain("flag is off")
    await dispatch("inputs.yml", { flag: "false", text: "other" })
    const [off] = await completed("inputs.yml", 2)
    const others = await linesOf(off, "show")
    expect(others).toContain("count 1 level low text other")
    expect(others).toContain("flag is off")
    expect(others).not.toContain("event flag is on")
  })

  test("expands fixed and computed matrices with the outputs of earlier jobs", async () => {
    await dispatch("matrix.yml")
    const [run] = await completed("matrix.yml")
    expect(await conclusionsOf(run)).toEqual([
      "computed (large): success",
      "computed (small): success",
      "fixed (bsd, 26): success",
      "fixed (linux, 24): success",
      "fixed (linux, 26): success",
      "fixed (plan9, 26): success",
      "plan: success",
      "report: success"
    ])
    expect(await linesOf(run, "fixed (plan9, 26)")).toContain("fixed plan9 26 1.2")
    expect(await linesOf(run, "computed (large)")).toContain("computed large")
    expect(await linesOf(run, "report")).toContain("report success success")
  })

  test("passes a file to a later job as an artifact, by an action of this forge", async () => {
    await dispatch("artifacts.yml")
    const [run] = await completed("artifacts.yml")
    expect(await conclusionsOf(run)).toEqual(["make: success", "use: success"])
    expect(await linesOf(run, "use")).toContain("built by make")
    const { artifacts } = await ask("GET", `${at}/runs/${run.id}/artifacts`)
    expect(artifacts.map(({ name }: Json) => name)).toEqual(["result.txt"])
  })

  test("checks out a private repository with the job's token, and runs a local action", async () => {
    await dispatch("local.yml")
    const [run] = await completed("local.yml")
    expect(await linesOf(run, "greet")).toContain("hello ann")
  })

  test("cancels an earlier run of the same concurrency group", async () => {
    await dispatch("concurrency.yml", { seconds: "120" })
    await vi.waitUntil(async () => (await runsOf("concurrency.yml"))[0]?.status === "in_progress", {
      timeout: 60_000,
      interval: 200
    })
    await dispatch("concurrency.yml")
    const [second, first] = await completed("concurrency.yml", 2)
    expect([first.conclusion, second.conclusion]).toEqual(["cancelled", "success"])
    expect(await linesOf(second, "deploy")).toContain("deployed")
  })

  test("gives secrets and variables, masks secrets in logs, and the nearest environment wins", async () => {
    await dispatch("secrets.yml")
    const [run] = await completed("secrets.yml")
    const lines = await linesOf(run, "show")
    expect(lines).toContain("key *** of 11 characters, level job, site harbour")
    expect(lines).toContain("level step, missing ''")
    expect(lines.join("\n")).not.toContain("open sesame")
  })

  test("decides by conditions of steps and jobs, and calls another workflow", async () => {
    await dispatch("conditions.yml")
    const [run] = await completed("conditions.yml")
    expect([run.conclusion, await conclusionsOf(run)]).toEqual([
      "failure",
      ["called / inner: success", "called: success", "fails: failure", "rescues: success", "skipped: skipped"]
    ])
    const lines = await linesOf(run, "fails")
    for (const line of ["tolerated", "failed", "always on true"]) expect(lines).toContain(line)
    expect(lines).not.toContain("unreachable")
    expect(await linesOf(run, "rescues")).toContain("rescued failure")
    expect(await linesOf(run, "called / inner")).toContain("called by caller")
  })

  test("runs a schedule of the default branch", async () => {
    const [run] = await completed("schedule.yml")
    expect([run.conclusion, run.event]).toEqual(["success", "schedule"])
    expect(await linesOf(run, "tick")).toContain("event schedule of * * * * *")
  })
})
