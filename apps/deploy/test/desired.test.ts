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

const isFull = process.env.SLIPWAY_TEST_POWER_CUTS === "full"

/** How many applications and databases run, and how often the power is cut; all of them with SLIPWAY_TEST_POWER_CUTS=full. */
const counts = isFull ? { applications: 30, databases: 5, cuts: 10 } : { applications: 3, databases: 1, cuts: 3 }

/** The limit until everything serves again, in milliseconds. */
const served = 60_000

const applications = Array.from({ length: counts.applications }, (_, n) => n + 1)

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

/** A database with the port that it is published at. */
interface Published {
  readonly uuid: string
  readonly port: number
}

/** Returns how often the program of a database was started; 0 while it does not run. */
const startsOf = ({ port }: Published) =>
  fetch(`http://127.0.0.1:${port}/starts`, { signal: AbortSignal.timeout(2_000) }).then(
    async (answer) => (await answer.text()).trim().split("\n").length,
    () => 0
  )

const createDatabase = async (base: string): Promise<Published> => {
  const port = await freePort()
  const { uuid } = await json<{ uuid: string }>(
    send("POST", `${base}/api/v1/databases/redis`, {
      ...(await placesAt(base)),
      image,
      redis_password: "secret",
      is_public: true,
      public_port: port,
      instant_deploy: true
    })
  )
  return { uuid, port }
}

test("applications and databases serve again after a kill of their engine and containers, and of the platform", {
  timeout: isFull ? 3_600_000 : 600_000
}, async () => {
  await makeImage()
  const { base: first, directory, port, service, settings } = await world({ ...persistentSettings, DEPLOY_LOOK: "1" })
  let base = first
  const databases: Array<Published> = []
  for (let n = 0; n < counts.databases; n++) databases.push(await createDatabase(base))
  const uuids: Array<string> = []
  for (const n of applications) {
    const fields = { dockerfile: pageOf(`here ${n}`), domains: `http://here${n}.test` }
    const application = await create(base, "dockerfile", fields)
    uuids.push(application)
    const deployment = await deploy(base, application)
    expect((await endOf(base, deployment)).status, await logOf(base, deployment)).toBe("finished")
  }
  const wordOf = async ({ uuid }: Published) =>
    (await json<{ status: string }>(send("GET", `${base}/api/v1/databases/${uuid}`))).status
  const allServe = async (times: number) => {
    for (const n of applications) await eventually(async () => (await visited(port, n)) === `here ${n}`, served)
    for (const database of databases) {
      await eventually(async () => (await wordOf(database)) === "running:healthy", served)
      // Its volume is the same.
      expect(await startsOf(database)).toBe(times)
    }
  }
  await allServe(1)

  await Effect.runPromise(podman().kill)
  for (const database of databases) expect(await startsOf(database)).toBe(0)
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  await Effect.runPromise(podman().start)
  await allServe(2)

  let running = service
  const seconds: Array<number> = []
  for (let cut = 1; cut <= counts.cuts; cut++) {
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
      const back = Date.now()
      await allServe(2 + cut)
      seconds.push(Math.round((Date.now() - back) / 1_000))
    } catch (error) {
      throw new Error(`power cut ${cut} with SLIPWAY_TEST_SEED=${seed}, after ${seconds.join()} seconds`, {
        cause: error
      })
    }
  }
  if (isFull) process.stdout.write(`seconds until all served after each power cut: ${seconds.join(", ")}\n`)
  expect(Math.max(...seconds) * 1_000, `seconds of each power cut: ${seconds.join()}`).toBeLessThanOrEqual(served)
})
