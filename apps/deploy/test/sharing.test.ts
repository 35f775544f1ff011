import { expect, it } from "vitest"
import { create, deploy, deploymentOf, endOf, linesOf, logOf, onPodman, visit } from "./containers.ts"
import { eventually, newDatabase, onServer, send, start } from "./support.ts"

const { containersOf, pageOf, world } = onPodman()

const states = ["building", "starting", "checking", "switching", "finished"]
const six = [1, 2, 3, 4, 5, 6]

/** Two processes with one database, one key, one proxy and one engine. */
const two = async () => {
  const at = await world({ DEPLOY_DATABASE_URL: await newDatabase() })
  const service = start(at.directory, at.settings)
  return { ...at, services: [at.service, service], bases: [at.base, await service.listening()] as const }
}

const createSix = async (bases: readonly [string, string], dockerfileOf: (text: string) => string) =>
  Promise.all(
    six.map((n) =>
      create(bases[n % 2 === 0 ? 0 : 1], "dockerfile", {
        dockerfile: dockerfileOf(`page ${n}`),
        domains: `http://a${n}.test`
      })
    )
  )

onServer("two processes on one PostgreSQL and one Podman", () => {
  it("work once on each of six deployments that are asked for at once", async () => {
    const { bases, port } = await two()
    const uuids = await createSix(bases, pageOf)
    const deployments = await Promise.all(uuids.map((uuid, index) => deploy(bases[index % 2 === 0 ? 0 : 1], uuid)))
    for (const [index, deployment] of deployments.entries()) {
      const { reason, status } = await endOf(bases[0], deployment)
      expect([status, reason], await logOf(bases[0], deployment)).toEqual(["finished", null])
      expect((await linesOf(bases[1], deployment)).filter((line) => states.includes(line))).toEqual(states)
      expect(await containersOf(uuids[index] ?? "")).toEqual([`${uuids[index]}-${deployment}`])
      expect(await visit(port, `a${index + 1}.test`)).toEqual({ status: 200, body: `page ${index + 1}` })
    }
  }, 240_000)

  it("end all six when one of them is killed in their middle, as soon as its lease is over", async () => {
    const { bases, port, services } = await two()
    const uuids = await createSix(bases, (text) => `${pageOf(text)}RUN sleep 1\n`)
    const servers = (await (await send("GET", `${bases[0]}/api/v1/servers`)).json()) as ReadonlyArray<{ uuid: string }>
    await send("PATCH", `${bases[0]}/api/v1/servers/${servers[0]?.uuid}`, { concurrent_builds: 6 })
    const deployments = await Promise.all(uuids.map((uuid, index) => deploy(bases[index % 2 === 0 ? 0 : 1], uuid)))
    const statuses = () =>
      Promise.all(deployments.map(async (deployment) => (await deploymentOf(bases[1], deployment)).status))
    await eventually(async () => (await statuses()).filter((status) => status === "building").length > 3, 60_000)
    await services[0]?.stop("SIGKILL")
    const killed = performance.now()
    for (const [index, deployment] of deployments.entries()) {
      const { reason, status } = await endOf(bases[1], deployment)
      expect([status, reason], await logOf(bases[1], deployment)).toEqual(["finished", null])
      expect((await linesOf(bases[1], deployment)).filter((line) => states.includes(line))).toEqual(states)
      expect(await containersOf(uuids[index] ?? "")).toEqual([`${uuids[index]}-${deployment}`])
      expect(await visit(port, `a${index + 1}.test`)).toEqual({ status: 200, body: `page ${index + 1}` })
    }
    expect(performance.now() - killed).toBeLessThan(90_000)
  }, 240_000)
})
