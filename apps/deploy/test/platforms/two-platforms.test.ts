import { Effect } from "effect"
import { expect, it } from "vitest"
import { create, deploy, endOf, json, logOf, onPodman, visit, type World } from "../containers.ts"
import { eventually, send, start } from "../support.ts"

const { containersOf, pageOf, podman, world } = onPodman()

/** Deploys an application with a text as its page, and returns its uuid. */
const serve = async ({ base, port }: World, name: string, text: string) => {
  const fields = { name, dockerfile: pageOf(text), domains: `http://${name}.test` }
  const uuid = await create(base, "dockerfile", fields)
  const deployment = await deploy(base, uuid)
  expect((await endOf(base, deployment)).status, await logOf(base, deployment)).toBe("finished")
  expect(await visit(port, `${name}.test`)).toEqual({ status: 200, body: text })
  return uuid
}

/** Runs a cleanup of the server of a platform, and waits for its end. */
const cleanUp = async ({ base }: World) => {
  const [server] = await json<ReadonlyArray<{ uuid: string }>>(send("GET", `${base}/api/v1/servers`))
  const path = `${base}/api/v1/servers/${server?.uuid}/docker-cleanup`
  expect((await send("POST", `${path}/run`)).status).toBe(200)
  const newest = async () =>
    (await json<ReadonlyArray<{ status: string; message: string }>>(send("GET", `${path}/executions`)))[0]
  await eventually(async () => !["queued", "running"].includes((await newest())?.status ?? "queued"))
  expect(await newest()).toMatchObject({ status: "success" })
}

it("two platforms on one engine never change the containers, images, networks and routes of each other", {
  timeout: 400_000
}, async () => {
  // The same names, on other ports of the proxy.
  const [one, two] = [await world({ DEPLOY_LOOK: "1" }), await world({ DEPLOY_LOOK: "1" })]
  const first = await serve(one, "site", "one")
  const second = await serve(two, "site", "two")
  expect(await visit(one.port, "site.test")).toEqual({ status: 200, body: "one" })
  await serve(one, "other", "other one")
  expect((await visit(two.port, "other.test")).status).toBe(404)

  const images = async () =>
    (await Effect.runPromise(podman().podman("images", "--format", "{{.Repository}}")))
      .split("\n")
      .filter((name) => name.endsWith(second)).length
  expect(await images()).toBe(1)
  const [before] = await containersOf(second)
  await cleanUp(one)
  await cleanUp(two)
  expect([await images(), await containersOf(second)]).toEqual([1, [before]])

  // The first platform loses its data, removes all that it has, and leaves the shared network.
  await send("DELETE", `${one.base}/api/v1/applications/${first}`)
  await eventually(async () => (await containersOf(first)).length === 0)
  await one.service.stop("SIGKILL")
  const again = await start(one.directory, one.settings).listening()
  expect(await json(send("GET", `${again}/api/v1/applications`))).toEqual([])
  await cleanUp({ ...one, base: again })
  expect([await images(), await containersOf(second)]).toEqual([1, [before]])
  expect(await visit(two.port, "site.test")).toEqual({ status: 200, body: "two" })

  await two.service.stop("SIGTERM")
  const base = await start(two.directory, two.settings).listening()
  await serve({ ...two, base }, "later", "later")
})
