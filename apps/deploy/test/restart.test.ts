import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { create, deploy, endOf, json, logOf, onPodman, persistentSettings, type Shown, visit } from "./containers.ts"
import { eventually, send, start } from "./support.ts"

const { containersOf, pageOf, podman, world } = onPodman()

const run = (...args: ReadonlyArray<string>) => Effect.runPromise(podman().podman(...args))

describe("after a reboot of the machine", () => {
  it("containers run again, and the proxy finds their new addresses", async () => {
    const { base, directory, port, service, settings } = await world({ ...persistentSettings, DEPLOY_LOOK: "1" })
    const uuid = await create(base, "dockerfile", { dockerfile: pageOf("here"), domains: "http://again.test" })
    const deployment = await deploy(base, uuid)
    expect((await endOf(base, deployment)).status, await logOf(base, deployment)).toBe("finished")
    const name = `${uuid}-${deployment}`
    const addressOf = async () =>
      (await run("inspect", name, "--format", "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}")).trim()
    const before = await addressOf()

    // After a reboot, Podman starts no containers unless a systemd unit does. Another container has the address now.
    await service.stop()
    await run("stop", "--time", "0", name)
    const [network = ""] = Object.keys(
      JSON.parse(await run("inspect", name, "--format", "{{json .NetworkSettings.Networks}}")) as object
    )
    const taken = `${network}:ip=${before}`
    await run("run", "--detach", "--pull=never", "--network", taken, `docker.io/${podman().image}`, "sleep", "600")

    const again = await start(directory, settings).listening()
    await eventually(async () => (await visit(port, "again.test")).body === "here", 45_000)
    expect(await addressOf()).not.toBe(before)

    // The next check finds a container that gets another address while the platform runs.
    await run("stop", "--time", "0", name)
    await run("network", "disconnect", network, name)
    await run("network", "connect", network, name)
    await run("start", name)
    await eventually(async () => (await visit(port, "again.test")).body === "here", 45_000)

    // A stopped application stays stopped.
    const stopped = await json<Shown>(send("POST", `${again}/api/v1/applications/${uuid}/stop`))
    expect((await endOf(again, stopped.deployment_uuid)).status).toBe("finished")
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(await containersOf(uuid)).toEqual([])
    expect((await visit(port, "again.test")).status).toBe(503)
  }, 180_000)
})

describe("old releases", () => {
  it("are deleted with their images, except those that are kept for a rollback", async () => {
    const { base, port } = await world({ DEPLOY_KEPT_RELEASES: "2" })
    const uuid = await create(base, "dockerfile", { dockerfile: pageOf("0"), domains: "http://old.test" })
    const path = `${base}/api/v1/applications/${uuid}`
    const deployments: Array<string> = []
    for (const n of [0, 1, 2]) {
      if (n > 0) await send("PATCH", path, { dockerfile: pageOf(String(n)) })
      const deployment = await deploy(base, uuid)
      expect((await endOf(base, deployment)).status, await logOf(base, deployment)).toBe("finished")
      deployments.push(deployment)
    }
    const { images } = await json<{ images: ReadonlyArray<{ tag: string }> }>(send("GET", `${path}/rollback-images`))
    expect(images.map(({ tag }) => tag)).toEqual([deployments[2], deployments[1]])
    const tags = (await run("images", "--format", "{{.Repository}}:{{.Tag}}")).split("\n")
    const kept = tags.filter((tag) => tag.includes(uuid)).map((tag) => tag.split(":")[1])
    expect(kept.toSorted()).toEqual(deployments.slice(1).toSorted())
    const back = await json<Shown>(send("POST", `${path}/rollback`, { commit: deployments[1] }))
    expect((await endOf(base, back.deployment_uuid)).status).toBe("finished")
    expect((await visit(port, "old.test")).body).toBe("1")
  }, 180_000)
})
