import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { expect, test } from "vitest"
import { seed } from "../../../scripts/vitest/runs.ts"
import { create, deploy, endOf, freePort, json, logOf, onPodman, persistentSettings, visit } from "./containers.ts"
import { eventually, newDirectory, placesAt, send, start } from "./support.ts"

const { pageOf, podman, world } = onPodman()

/** No registry listens there, so that the image on the server is used. */
const image = "127.0.0.1:1/redis:1"

const programs = {
  "redis-server": `#!/bin/sh\necho "$*" >> /data/starts\ntrap "exit 0" TERM\nhttpd -f -p 6379 -h /data &\nwait\n`,
  "redis-cli": "#!/bin/sh\nexec wget -q -O /dev/null http://127.0.0.1:6379/starts\n"
}

const makeImage = async () => {
  const directory = join(newDirectory(), "image")
  mkdirSync(directory)
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(directory, name), text)
    chmodSync(join(directory, name), 0o755)
  }
  writeFileSync(join(directory, "Dockerfile"), `FROM ${podman().image}\nCOPY redis-server redis-cli /bin/\n`)
  await Effect.runPromise(podman().podman("build", "--quiet", "--tag", image, directory))
}

const served = 60_000

const applications = [1, 2, 3]

/** How often the power is cut. */
const cuts = 3

/** Returns whole numbers below a limit, always the same ones for a seed. */
let state = seed
const random = (limit: number): number => {
  // Numbers of Lehmer's generator.
  state = (state * 48_271) % 2_147_483_647
  return state % limit
}

/** Visits an application; a request to a container that is killed meanwhile gets no response. */
const visited = (port: number, n: number) =>
  Promise.race([
    visit(port, `here${n}.test`).then(({ body }) => body),
    new Promise<string>((resolve) => setTimeout(() => resolve("no answer"), 2_000))
  ])

test("applications and databases serve again after a kill of their engine and containers, and of the platform", {
  timeout: 600_000
}, async () => {
  await makeImage()
  const { base: first, directory, port, service, settings } = await world({ ...persistentSettings, DEPLOY_LOOK: "1" })
  let base = first
  const published = await freePort()
  const { uuid: database } = await json<{ uuid: string }>(
    send("POST", `${base}/api/v1/databases/redis`, {
      ...(await placesAt(base)),
      image,
      redis_password: "secret",
      is_public: true,
      public_port: published,
      instant_deploy: true
    })
  )
  const uuids: Array<string> = []
  for (const n of applications) {
    const fields = { dockerfile: pageOf(`here ${n}`), domains: `http://here${n}.test` }
    const application = await create(base, "dockerfile", fields)
    uuids.push(application)
    const deployment = await deploy(base, application)
    expect((await endOf(base, deployment)).status, await logOf(base, deployment)).toBe("finished")
  }
  const word = async () => (await json<{ status: string }>(send("GET", `${base}/api/v1/databases/${database}`))).status
  const starts = () =>
    fetch(`http://127.0.0.1:${published}/starts`).then(
      async (answer) => (await answer.text()).trim().split("\n").length,
      () => 0
    )
  const allServe = async (times: number) => {
    for (const n of applications) await eventually(async () => (await visited(port, n)) === `here ${n}`, served)
    await eventually(async () => (await word()) === "running:healthy", served)
    // Its volume is the same.
    expect(await starts()).toBe(times)
  }
  await allServe(1)

  await Effect.runPromise(podman().kill)
  expect(await starts()).toBe(0)
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  await Effect.runPromise(podman().start)
  await allServe(2)

  let running = service
  for (let cut = 1; cut <= cuts; cut++) {
    try {
      // A deployment is in progress at a random moment.
      await deploy(base, uuids[random(uuids.length)] ?? "")
      await new Promise((resolve) => setTimeout(resolve, random(3_000)))
      await running.stop("SIGKILL")
      await Effect.runPromise(podman().kill)
      const isEngineFirst = random(2) === 0
      if (isEngineFirst) await Effect.runPromise(podman().start)
      running = start(directory, settings)
      base = await running.listening()
      if (!isEngineFirst) await Effect.runPromise(podman().start)
      await allServe(2 + cut)
    } catch (error) {
      throw new Error(`power cut ${cut} with SLIPWAY_TEST_SEED=${seed}`, { cause: error })
    }
  }
})
