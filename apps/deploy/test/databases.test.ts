import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { expect, test } from "vitest"
import { freePort, kept, onPodman } from "./containers.ts"
import { eventually, newDirectory, placesAt, send, start } from "./support.ts"

const { containersOf, podman, world } = onPodman("file")

/** Nothing listens there, so that the image on the server is taken. */
const image = "127.0.0.1:1/redis:1"

// It tells over HTTP how it was started, each time it was, as its volume remembers.
const programs = {
  "redis-server": `#!/bin/sh\necho "$*" >> /data/starts\necho ready\ntrap "exit 0" TERM\nhttpd -f -p 6379 -h /data &\nwait\n`,
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
  await run("build", "--quiet", "--tag", image, directory)
}

const run = (...args: ReadonlyArray<string>) => Effect.runPromise(podman().podman(...args))

const json = async (response: Promise<Response>) => (await response).json() as Promise<Record<string, string>>

test("a database is reached by its uuid and its port, goes on after its service was killed, and leaves its volume", {
  timeout: 120_000
}, async () => {
  await makeImage()
  const { base, directory, service, settings } = await world(kept)
  const port = await freePort()
  const { uuid } = await json(
    send("POST", `${base}/api/v1/databases/redis`, {
      ...(await placesAt(base)),
      image,
      redis_password: "it's $secret",
      is_public: true,
      public_port: port,
      instant_deploy: true
    })
  )
  const read = (at: string) => json(send("GET", `${at}/api/v1/databases/${uuid}`))
  const isHealthy = async (at: string) => (await read(at)).status === "running:healthy"
  await eventually(() => isHealthy(base))
  const started = "--appendonly yes --requirepass it's $secret\n"
  const starts = async () => (await fetch(`http://127.0.0.1:${port}/starts`)).text()
  expect(await starts()).toBe(started)
  const [first = ""] = await containersOf(uuid ?? "")
  const network = await run(
    "inspect",
    "--format",
    "{{range $name, $_ := .NetworkSettings.Networks}}{{$name}}{{end}}",
    first
  )
  const other = ["run", "--rm", "--network", network.trim(), podman().image]
  expect(await run(...other, "wget", "-q", "-O", "-", `http://${uuid}:6379/starts`)).toBe(started)
  expect(await json(send("GET", `${base}/api/v1/databases/${uuid}/logs`))).toEqual({ logs: "ready" })

  expect((await send("POST", `${base}/api/v1/databases/${uuid}/restart`)).status).toBe(200)
  await service.stop("SIGKILL")
  const again = await start(directory, settings).listening()
  await eventually(async () => (await isHealthy(again)) && (await containersOf(uuid ?? "")).join() !== first)
  await eventually(async () => (await containersOf(uuid ?? "")).length === 1)
  expect(await starts()).toBe(`${started}${started}`)

  const deleted = await send("DELETE", `${again}/api/v1/databases/${uuid}`)
  const deletion = `${again}${deleted.headers.get("location")}`
  await eventually(async () => (await json(send("GET", deletion))).status === "finished")
  expect(await json(send("GET", deletion))).toMatchObject({ left: [`volume ${uuid}_data`], reason: null })
  expect(await containersOf(uuid ?? "")).toEqual([])
  expect(await run("volume", "ls", "--format", "{{.Name}}")).toContain(`${uuid}_data`)
})
