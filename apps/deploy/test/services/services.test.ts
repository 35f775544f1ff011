import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { expect, test } from "vitest"
import { endOf, json, logOf, onPodman, persistentSettings, visit } from "../containers.ts"
import { eventually, newDirectory, placesAt, send, start } from "../support.ts"

const { containersOf, pageOf, podman, world } = onPodman()

/** No registry listens there, so that the image on the server is used. */
const image = "127.0.0.1:1/page:1"

const makeImage = async () => {
  const directory = join(newDirectory(), "image")
  mkdirSync(directory)
  writeFileSync(join(directory, "Dockerfile"), pageOf("a page of a service"))
  await Effect.runPromise(podman().podman("build", "--quiet", "--tag", image, directory))
}

const compose = `services:
  web:
    image: ${image}
    expose: ["8080"]
    volumes: ["data:/data"]
    depends_on:
      store: {condition: service_healthy}
  store:
    image: ${image}
    healthcheck:
      test: ["CMD", "wget", "-q", "-O", "/dev/null", "http://127.0.0.1:8080/"]
      interval: 1s
      timeout: 5s
      retries: 30
volumes:
  data: {}
`

const served = 120_000

test("a service runs on Podman, serves again after a kill of the platform and its containers, and leaves nothing", {
  timeout: 400_000
}, async () => {
  await makeImage()
  const { base: first, directory, port, service, settings } = await world({ ...persistentSettings, DEPLOY_LOOK: "1" })
  let base = first
  const created = await send("POST", `${base}/api/v1/services`, {
    ...(await placesAt(base)),
    docker_compose_raw: btoa(compose),
    urls: [{ name: "web", url: "http://service.test" }]
  })
  expect(created.status, await created.clone().text()).toBe(201)
  const { uuid } = (await created.json()) as { uuid: string }
  const path = () => `${base}/api/v1/services/${uuid}`
  const { deployment_uuid: deployment } = await json<{ deployment_uuid: string }>(send("POST", `${path()}/start`))

  // The worker is killed while it works on the start.
  await eventually(async () => (await containersOf(uuid)).length > 0, served).catch(async (cause) => {
    throw new Error(await logOf(base, deployment), { cause })
  })
  await service.stop("SIGKILL")
  base = await start(directory, settings).listening()
  expect((await endOf(base, deployment)).status, await logOf(base, deployment)).toBe("finished")
  expect((await visit(port, "service.test")).body).toBe("a page of a service")
  const containers = [`${uuid}-${deployment}-store`, `${uuid}-${deployment}-web`]
  expect((await containersOf(uuid)).toSorted()).toEqual(containers)
  const status = await json<{ state: string; containers: ReadonlyArray<{ service: string; state: string }> }>(
    send("GET", `${path()}/status`)
  )
  expect([status.state, status.containers.map((each) => [each.service, each.state]).toSorted()]).toEqual([
    "running",
    [
      ["store", "running"],
      ["web", "running"]
    ]
  ])

  await Effect.runPromise(podman().podman("rm", "--force", "--time", "0", ...containers))
  await eventually(async () => (await visit(port, "service.test")).body === "a page of a service", served)
  expect((await containersOf(uuid)).toSorted()).toEqual(containers)

  const deletion = await send("DELETE", path())
  const job = `${base}${deletion.headers.get("location")}`
  await eventually(async () => (await json<{ status: string }>(send("GET", job))).status === "finished", served)
  expect(await json<{ left: ReadonlyArray<string> }>(send("GET", job))).toMatchObject({ left: [] })
  expect(await containersOf(uuid)).toEqual([])
  expect(await Effect.runPromise(podman().podman("volume", "ls", "--quiet"))).not.toContain(uuid)
  expect((await visit(port, "service.test")).status).toBe(404)
})
