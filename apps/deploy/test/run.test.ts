import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import {
  create,
  deploy,
  deploymentOf,
  drainSettings,
  endOf,
  freePort,
  json,
  logOf,
  onPodman,
  requestPage,
  type Shown,
  visit,
  type World
} from "./containers.ts"
import { eventually, newDirectory, openStream, send } from "./support.ts"

const { containersOf, pageOf, podman, world } = onPodman("file")

let shared: Promise<World>
beforeAll(() => {
  shared = world(drainSettings)
})

// Runs by itself: a new route of another application changes Caddy's configuration, and then Caddy resets queued
// requests unless the kernel migrates them (docs/guides/domains.md).
describe("an update on Podman and Caddy", () => {
  it("serves a Dockerfile's text, switches without a failed request, keeps the old revision if the new one fails, rolls back, and leaves nothing", async () => {
    const { base, port } = await shared
    const uuid = await create(base, "dockerfile", { dockerfile: pageOf("one"), domains: "http://page.test" })
    const path = `${base}/api/v1/applications/${uuid}`
    const first = await deploy(base, uuid)
    const ended = await endOf(base, first)
    expect(ended.status, await logOf(base, first)).toBe("finished")
    expect(await visit(port, "page.test")).toEqual({ status: 200, body: "one" })

    const answers = new Map<string, number>()
    let loads = true
    const load = (async () => {
      const open: Array<Promise<void>> = []
      while (loads) {
        open.push(
          requestPage(port, "page.test").then(({ body, status }) => {
            const which = `${status} ${body}`
            answers.set(which, (answers.get(which) ?? 0) + 1)
          })
        )
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      await Promise.all(open)
    })()
    await send("PATCH", path, { dockerfile: pageOf("two") })
    const second = await deploy(base, uuid)
    expect((await endOf(base, second)).status, await logOf(base, second)).toBe("finished")
    loads = false
    await load
    expect([...answers.keys()].toSorted()).toEqual(["200 one", "200 two"])
    expect(await containersOf(uuid)).toEqual([`${uuid}-${second}`])

    await send("PATCH", path, { dockerfile: `FROM ${podman().image}\nCMD ["sh", "-c", "echo broken; exit 3"]\n` })
    const third = await deploy(base, uuid)
    const broken = await endOf(base, third)
    expect([broken.status, broken.reason]).toEqual([
      "failed",
      expect.stringMatching(/^the container exited (with 3|\d+ times)$/)
    ])
    expect(await logOf(base, third)).toContain("broken")
    expect(await containersOf(uuid), await logOf(base, third)).toEqual([`${uuid}-${second}`])
    expect(await visit(port, "page.test")).toEqual({ status: 200, body: "two" })

    const back = await json<Shown>(send("POST", `${path}/rollback`, { commit: first }))
    expect((await endOf(base, back.deployment_uuid)).status).toBe("finished")
    expect(await visit(port, "page.test")).toEqual({ status: 200, body: "one" })

    const gone = await send("DELETE", path)
    const deletion = `${base}${gone.headers.get("location")}`
    await eventually(async () => (await json<Shown>(send("GET", deletion))).status === "finished", 30_000)
    expect(await json(send("GET", deletion))).toMatchObject({ left: [] })
    expect(await containersOf(uuid)).toEqual([])
    expect((await visit(port, "page.test")).status).toBe(404)
    expect(await Effect.runPromise(podman().podman("images", "--format", "{{.Repository}}"))).not.toContain(uuid)
  }, 240_000)
})

describe.concurrent("deployments on Podman and Caddy", () => {
  it("serve an image with variables that are never returned again", async () => {
    const { base, port } = await shared
    const context = newDirectory()
    writeFileSync(
      join(context, "Dockerfile"),
      `FROM ${podman().image}\nCMD ["sh", "-c", "echo $SECRET > /index.html; exec httpd -f -p 8080 -h /"]\n`
    )
    await Effect.runPromise(podman().podman("build", "--tag", "docker.io/slipway-test/page:1", context))
    const uuid = await create(base, "dockerimage", {
      docker_registry_image_name: "slipway-test/page",
      docker_registry_image_tag: "1",
      domains: "http://image.test"
    })
    const path = `${base}/api/v1/applications/${uuid}`
    expect(
      (await send("POST", `${path}/envs`, { key: "SECRET", value: "swordfish", is_shown_once: true })).status
    ).toBe(201)
    expect(await (await send("GET", `${path}/envs`)).text()).not.toContain("swordfish")
    const deployment = await deploy(base, uuid)
    const ended = await endOf(base, deployment)
    expect([ended.status, ended.reason], await logOf(base, deployment)).toEqual(["finished", null])
    expect(await visit(port, "image.test")).toEqual({ status: 200, body: "swordfish" })
  }, 120_000)

  it("stop, restart, are cancelled, and return a host port to the old revision if the new one fails", async () => {
    const { base, port } = await shared
    const uuid = await create(base, "dockerfile", {
      dockerfile: pageOf("one"),
      domains: "http://ports.test",
      ports_mappings: `127.0.0.1:${await freePort()}:8080`
    })
    const path = `${base}/api/v1/applications/${uuid}`
    expect((await endOf(base, await deploy(base, uuid))).status).toBe("finished")
    await send("PATCH", path, { dockerfile: `FROM ${podman().image}\nCMD ["false"]\n` })
    expect((await endOf(base, await deploy(base, uuid))).status).toBe("failed")
    expect(await visit(port, "ports.test")).toEqual({ status: 200, body: "one" })

    const stopped = await json<Shown>(send("POST", `${path}/stop`))
    expect((await endOf(base, stopped.deployment_uuid)).status).toBe("finished")
    expect(await containersOf(uuid)).toEqual([])
    expect((await visit(port, "ports.test")).status).toBe(503)

    await send("PATCH", path, { dockerfile: `FROM ${podman().image}\nRUN sleep 60\n` })
    const slow = await deploy(base, uuid)
    await eventually(async () => (await deploymentOf(base, slow)).status === "building")
    for (let n = 0; n < 2; n++) {
      expect((await send("POST", `${base}/api/v1/deployments/${slow}/cancel`)).status).toBe(200)
    }
    expect((await endOf(base, slow)).status).toBe("cancelled")
    expect(await containersOf(uuid)).toEqual([])
  }, 180_000)
})

describe("logs of containers on Podman", () => {
  it("can be followed across deployments without gaps or duplicates", async () => {
    const { base } = await shared
    const counting = `n=0; while sleep 0.3; do n=$((n + 1)); echo "$GREETING $n"; done & exec httpd -f -p 8080`
    const dockerfile = `FROM ${podman().image}\nCMD ["sh", "-c", ${JSON.stringify(counting)}]\n`
    const health_check_return_code = 404
    const uuid = await create(base, "dockerfile", { dockerfile, domains: "http://log.test", health_check_return_code })
    const path = `${base}/api/v1/applications/${uuid}`
    const greet = (value: string) => send("PATCH", `${path}/envs/bulk`, { data: [{ key: "NAME", value }, greeting] })
    const greeting = { key: "GREETING", value: "hello $NAME" }
    await greet("one")
    const first = await deploy(base, uuid)
    const told = await (await openStream(`${base}/api/v1/deployments/${first}/logs/stream`)).until(() => false)
    expect(told).toMatch(/event: status\ndata: \{"status":"finished"[\s\S]*event: end\ndata: \{"status":"finished"/)

    const linesIn = (sent: string) =>
      [...sent.matchAll(/^id: (.*)\ndata: (\{.*\})$/gm)].map(([, id = "", data = ""]) => ({
        id,
        text: (JSON.parse(data) as { text: string }).text
      }))
    const stream = await openStream(`${path}/logs/stream?since=2000-01-01T00:00:00Z&lines=10000`)
    await stream.until((sent) => linesIn(sent).length >= 8)
    await greet("two")
    const second = await deploy(base, uuid)
    expect((await endOf(base, second)).status, await logOf(base, second)).toBe("finished")
    const lines = linesIn(await stream.until((sent) => sent.includes("hello two 12")))
    await stream.leave()
    for (const name of ["one", "two"]) {
      const numbers = lines.flatMap(({ text }) => (text.startsWith(`hello ${name} `) ? [Number(text.slice(10))] : []))
      expect(numbers.length).toBeGreaterThan(7)
      expect(numbers).toEqual(numbers.map((_, n) => n + 1))
    }

    // Podman's timestamps have a resolution of one second: five of these may be equal.
    for (const { id, text } of lines.filter(({ text }) => text.startsWith("hello two")).slice(0, 6)) {
      const next = Number(text.slice(10)) + 1
      const again = await openStream(`${path}/logs/stream`, id)
      expect(linesIn(await again.until((sent) => linesIn(sent).length >= 3))[0]?.text).toBe(`hello two ${next}`)
      await again.leave()
      const { logs } = await json<{ logs: string }>(send("GET", `${path}/logs?lines=1&after=${id.split(",").at(-1)}`))
      expect(logs).toBe(`hello two ${next}`)
    }
    const { logs } = await json<{ logs: string }>(send("GET", `${path}/logs?lines=5`))
    const last = logs.split("\n")
    const from = Number(last[0]?.slice(10))
    expect(last).toEqual(last.map((_, n) => `hello two ${from + n}`))
  }, 180_000)
})
