import { join } from "node:path"
import { expect, it } from "vitest"
import { create, deploy, deploymentOf, endOf, linesOf, logOf, onPodman, visit } from "./containers.ts"
import { EngineSocketProxy } from "./socketProxy.ts"
import { eventually, newDatabase, newDirectory, onServer, send, start } from "./support.ts"

const { containersOf, pageOf, podman, world } = onPodman("file")

const states = ["building", "starting", "checking", "switching", "finished"]
const four = [1, 2, 3, 4]

const createFour = async (bases: readonly [string, string], dockerfileOf: (text: string) => string) =>
  Promise.all(
    four.map((n) =>
      create(bases[n % 2 === 0 ? 0 : 1], "dockerfile", {
        dockerfile: dockerfileOf(`page ${n}`),
        domains: `http://a${n}.test`
      })
    )
  )

interface ServerJson {
  readonly uuid: string
}

/** Expects that a deployment succeeded, and that each of its steps ran once. */
const expectOnce = async (base: string, port: number, uuid: string, deployment: string, n: number) => {
  const { reason, status } = await endOf(base, deployment)
  expect([status, reason], await logOf(base, deployment)).toEqual(["finished", null])
  expect((await linesOf(base, deployment)).filter((line) => states.includes(line))).toEqual(states)
  expect(await containersOf(uuid)).toEqual([`${uuid}-${deployment}`])
  expect(await visit(port, `a${n}.test`)).toEqual({ status: 200, body: `page ${n}` })
}

onServer("two processes on one PostgreSQL and one Podman", () => {
  it.concurrent("process each of four concurrent deployments once", async () => {
    const at = await world({ DEPLOY_DATABASE_URL: await newDatabase() })
    const bases = [at.base, await start(at.directory, at.settings).listening()] as const
    const uuids = await createFour(bases, pageOf)
    const deployments = await Promise.all(uuids.map((uuid, index) => deploy(bases[index % 2 === 0 ? 0 : 1], uuid)))
    for (const [index, deployment] of deployments.entries()) {
      await expectOnce(bases[index % 2 === 0 ? 1 : 0], at.port, uuids[index] ?? "", deployment, index + 1)
    }
  }, 240_000)

  it.concurrent.each([
    ["SIGKILL", "is killed", "SIGKILL"],
    ["SIGTERM", "is stopped", 0]
  ] as const)(
    "complete all four deployments after a %s, when one process %s in the middle of some",
    async (signal, _, ending) => {
      const socketProxy = await EngineSocketProxy.before(podman().socket, join(newDirectory(), "door.sock"))
      try {
        const first = await world({ DEPLOY_DATABASE_URL: await newDatabase(), DEPLOY_ENGINE_SOCKET: socketProxy.path })
        const [server] = (await (await send("GET", `${first.base}/api/v1/servers`)).json()) as ReadonlyArray<ServerJson>
        await send("PATCH", `${first.base}/api/v1/servers/${server?.uuid}`, { concurrent_builds: 4 })
        const uuids = await createFour([first.base, first.base], pageOf)
        const held = socketProxy.hold(/^POST \S+\/build/)
        const taken = await Promise.all(uuids.slice(0, 2).map((uuid) => deploy(first.base, uuid)))
        await held
        const isBuilding = async (deployment: string) =>
          (await deploymentOf(first.base, deployment)).status === "building"
        await eventually(async () => (await Promise.all(taken.map(isBuilding))).every((each) => each))

        const base = await start(first.directory, {
          ...first.settings,
          DEPLOY_ENGINE_SOCKET: podman().socket
        }).listening()
        const others = await Promise.all(uuids.slice(2).map((uuid) => deploy(base, uuid)))
        expect(await first.service.stop(signal)).toBe(ending)
        const deployments = [...taken, ...others]
        for (const deployment of deployments) await endOf(base, deployment)
        for (const [index, deployment] of deployments.entries()) {
          await expectOnce(base, first.port, uuids[index] ?? "", deployment, index + 1)
        }
      } finally {
        socketProxy.end()
      }
    },
    240_000
  )
})
