import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ServiceProcesses } from "@slipway/http/testing"
import { afterAll, describe, expect, test, vi } from "vitest"
import { workplace } from "./support/git.ts"

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Json = any

const forge = new ServiceProcesses(join(import.meta.dirname, "..", "src", "main.ts"))
const password = "correct horse battery"
const ann = workplace()

const ci = `
name: CI
on: { push: { branches: [main] } }
jobs:
  test:
    runs-on: linux
    strategy: { matrix: { node: [24, 26] } }
    steps: [{ name: Try, run: make test }]
  tell: { needs: test, runs-on: linux, steps: [{ run: echo done }] }
`

afterAll(async () => {
  ann.remove()
  await forge.end()
})

describe("workflows of a service", () => {
  test("are pushed with git, run by a runner, and set the commit status", { timeout: 60_000 }, async () => {
    const service = forge.start(forge.directory(), {
      FORGE_DATABASE_URL: "memory:",
      FORGE_ADMIN_USERNAME: "ann",
      FORGE_ADMIN_PASSWORD: password,
      FORGE_SSH_PORT: "off"
    })
    const base = await service.listening()
    const authorization = `Basic ${Buffer.from(`ann:${password}`).toString("base64")}`
    const ask = async (method: string, path: string, body?: unknown): Promise<Json> => {
      const response = await fetch(`${base}/api/v1${path}`, {
        method,
        headers: { authorization, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      const text = await response.text()
      expect([200, 201, 204], `${method} ${path}: ${text}`).toContain(response.status)
      return text === "" ? undefined : JSON.parse(text)
    }
    await ask("POST", "/user/repos", { name: "site", default_branch: "main" })

    await ann.git(["init", "-q", "-b", "main", "site"])
    mkdirSync(join(ann.home, "site", ".github", "workflows"), { recursive: true })
    writeFileSync(join(ann.home, "site", ".github", "workflows", "ci.yml"), ci)
    await ann.git(["-C", "site", "add", "-A"])
    await ann.git(["-C", "site", "commit", "-q", "-m", "Add tests"])
    const sha = (await ann.git(["-C", "site", "rev-parse", "HEAD"])).out.trim()
    const remote = `${base.replace("://", `://ann:${encodeURIComponent(password)}@`)}/ann/site.git`
    expect((await ann.git(["-C", "site", "push", "-q", remote, "main"])).code).toBe(0)

    const at = "/repos/ann/site/actions"
    const run = await vi.waitUntil(async () => (await ask("GET", `${at}/runs`)).workflow_runs[0], {
      timeout: 30_000,
      interval: 200
    })
    expect(run).toMatchObject({ display_title: "Add tests", event: "push", head_sha: sha, status: "queued" })

    const { token } = await ask("POST", `${at}/runners/registration-token`)
    const call = async (name: string, message: unknown, who: Record<string, string> = {}): Promise<Json> => {
      const response = await fetch(`${base}/api/actions/runner.v1.RunnerService/${name}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...who },
        body: JSON.stringify(message)
      })
      expect(response.status).toBe(200)
      return response.json()
    }
    const { runner } = await call("Register", { token, name: "r", labels: ["linux:host"], version: "1" })
    const who = { "x-runner-uuid": runner.uuid, "x-runner-token": runner.token }
    const ended: Array<string> = []
    for (let n = 0; n < 3; n++) {
      const { task } = await call("FetchTask", {}, who)
      const workflow = JSON.parse(Buffer.from(task.workflowPayload, "base64").toString())
      const [key = ""] = Object.keys(workflow.jobs)
      ended.push(`${key} ${JSON.stringify(workflow.jobs[key].strategy?.matrix ?? {})}`)
      const time = new Date().toISOString()
      await call("UpdateLog", { taskId: task.id, index: "0", rows: [{ time, content: `job ${n}` }], noMore: true }, who)
      const steps = [{ id: "0", result: "RESULT_SUCCESS", logIndex: "0", logLength: "1" }]
      await call("UpdateTask", { state: { id: task.id, result: "RESULT_SUCCESS", steps } }, who)
    }
    expect(ended).toEqual(['test {"node":[24]}', 'test {"node":[26]}', "tell {}"])
    expect((await call("FetchTask", {}, who)).task).toBeUndefined()

    const { jobs } = await ask("GET", `${at}/runs/${run.id}/jobs`)
    expect(jobs.map(({ conclusion, name }: Json) => `${name}: ${conclusion}`).toSorted()).toEqual([
      "tell: success",
      "test (24): success",
      "test (26): success"
    ])
    const log = await fetch(`${base}/api/v1${at}/jobs/${jobs[0].id}/logs`, { headers: { authorization } })
    expect(await log.text()).toMatch(/^\d{4}-.*Z job \d\n$/)
    const status = await ask("GET", `/repos/ann/site/commits/${sha}/status`)
    expect([status.state, status.statuses.map(({ context }: Json) => context).toSorted()]).toEqual([
      "success",
      ["CI / tell (push)", "CI / test (24) (push)", "CI / test (26) (push)"]
    ])
  })
})
