import { readFileSync } from "node:fs"
import { request } from "node:http"
import { createServer } from "node:net"
import { join } from "node:path"
import { type PodmanService, startPodman } from "@slipway/docker/testing"
import type { ServiceProcess } from "@slipway/http/testing"
import { Effect, Exit, Scope } from "effect"
import { afterAll, afterEach, beforeAll, expect } from "vitest"
import { answeredWithin, endServices, eventually, newDirectory, placesAt, send, start, token } from "./support.ts"

/** A service with a Caddy of its own, on the Podman that the tests of a file share. */
export interface World {
  readonly base: string
  readonly directory: string
  /** The port at which visitors reach the proxy. */
  readonly port: number
  readonly service: ServiceProcess
  readonly settings: Readonly<Record<string, string>>
}

/** What tests on Podman have in common. */
export interface Containers {
  readonly podman: () => PodmanService
  readonly world: (settings?: Readonly<Record<string, string>>) => Promise<World>
  /** Returns a Dockerfile of a page that says a text. */
  readonly pageOf: (text: string) => string
  /** Lists the names of all containers of an application. */
  readonly containersOf: (uuid: string) => Promise<ReadonlyArray<string>>
}

const killCaddies = (directories: ReadonlyArray<string>) => {
  // Read before the services end, with whom their directories go.
  const pids = directories.map((directory) => {
    try {
      return Number(readFileSync(join(directory, "pid"), "utf8"))
    } catch {
      return undefined
    }
  })
  return () => {
    for (const pid of pids) if (pid !== undefined) process.kill(pid, "SIGKILL")
  }
}

/** The settings of a service whose data outlive it. */
export const kept = { DEPLOY_DATABASE_URL: "file:data" }

/** The settings of a service that leaves containers a second for the requests that are under way. */
export const draining = { DEPLOY_DRAIN: "1" }

/** Finds a port of this machine that is free. */
export const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** Gives a file a Podman; services and their Caddies end after each test, or with the file when its tests run at once. */
export const onPodman = (ending: "each" | "file" = "each"): Containers => {
  const scope = Scope.makeUnsafe()
  let podman: PodmanService
  const proxies: Array<string> = []
  const end = async () => {
    const kill = killCaddies(proxies.splice(0))
    await endServices()
    kill()
  }
  beforeAll(async () => {
    podman = await Effect.runPromise(Scope.provide(startPodman, scope))
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  if (ending === "each") afterEach(end)
  else afterAll(end)

  return {
    podman: () => podman,
    world: async (more = {}) => {
      const directory = newDirectory()
      const port = await freePort()
      const settings = {
        DEPLOY_TOKEN: token,
        DEPLOY_DATABASE_URL: "memory:",
        DEPLOY_DRAIN: "0",
        DEPLOY_ENGINE_SOCKET: podman.socket,
        DEPLOY_PROXY_DIRECTORY: join(directory, "proxy"),
        DEPLOY_PROXY_HTTP: `127.0.0.1:${port}`,
        DEPLOY_PROXY_HTTPS: `127.0.0.1:${await freePort()}`,
        ...more
      }
      proxies.push(settings.DEPLOY_PROXY_DIRECTORY)
      const service = start(directory, settings)
      const base = await service.listening()
      return { base, directory, port, service, settings }
    },
    // A step that runs something would take as long as all others of a deployment.
    pageOf: (text) => `FROM ${podman.image}
CMD ["sh", "-c", "mkdir /www; echo ${text} > /www/index.html; exec httpd -f -p 8080 -h /www"]
`,
    containersOf: async (uuid) =>
      (await Effect.runPromise(podman.podman("ps", "--all", "--format", "{{.Names}}")))
        .split("\n")
        .filter((name) => name.startsWith(uuid))
  }
}

/** What a visitor got. */
export interface Answer {
  readonly status: number
  readonly body: string
}

const wasReset = "ECONNRESET"

/** Asks once for a page of a host at the proxy; 0 stands for no answer at all. */
export const visitOnce = (port: number, host: string, path = "/"): Promise<Answer> =>
  new Promise<Answer>((resolve) => {
    const fail = (cause: NodeJS.ErrnoException) => resolve({ status: 0, body: cause.code ?? cause.message })
    const signal = AbortSignal.timeout(answeredWithin)
    const sent = request({ host: "127.0.0.1", port, path, headers: { host }, agent: false, signal }, (response) => {
      let body = ""
      response.on("data", (chunk) => (body += chunk))
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: body.trim() }))
      response.on("error", fail)
    })
    sent.on("error", fail)
    sent.end()
  })

/**
 * Asks for a page of a host at the proxy, as browsers do: again, where Caddy resets what waits in its queue while it takes
 * another configuration, of another test too. What shows that no request fails asks by `visitOnce`.
 */
export const visit = async (port: number, host: string, path = "/", again = 3): Promise<Answer> => {
  const answer = await visitOnce(port, host, path)
  return answer.body === wasReset && answer.status === 0 && again > 0 ? visit(port, host, path, again - 1) : answer
}

/** A deployment as it is shown. */
export interface Shown {
  readonly deployment_uuid: string
  readonly status: string
  readonly reason: string | null
}

/** Reads the body of an answer. */
export const json = async <A>(answer: Promise<Response>): Promise<A> => (await answer).json() as Promise<A>

/** Reads the lines of the log of a deployment. */
export const linesOf = async (base: string, uuid: string): Promise<ReadonlyArray<string>> =>
  (await json<ReadonlyArray<{ text: string }>>(send("GET", `${base}/api/v1/deployments/${uuid}/logs?limit=1000`))).map(
    ({ text }) => text
  )

/** Reads the log of a deployment. */
export const logOf = async (base: string, uuid: string): Promise<string> => (await linesOf(base, uuid)).join("\n")

/** Reads how far a deployment has come. */
export const deploymentOf = (base: string, uuid: string): Promise<Shown> =>
  json<Shown>(send("GET", `${base}/api/v1/deployments/${uuid}`))

/** Waits for the end of a deployment. */
export const endOf = async (base: string, uuid: string): Promise<Shown> => {
  let shown: Shown | undefined
  await eventually(async () => {
    shown = await deploymentOf(base, uuid)
    return ["finished", "failed", "cancelled"].includes(shown.status)
  }, 150_000).catch(async (cause) => {
    throw new Error(`it didn't end: ${JSON.stringify(shown)}\n${await logOf(base, uuid)}`, { cause })
  })
  return shown as Shown
}

/** Creates an application that is quick to deploy, with other fields besides. */
export const create = async (base: string, variant: string, fields: Readonly<Record<string, unknown>>) => {
  const answer = await send("POST", `${base}/api/v1/applications/${variant}`, {
    ...(await placesAt(base)),
    ports_exposes: "8080",
    health_check_enabled: true,
    health_check_interval: 1,
    health_check_retries: 5,
    health_check_start_period: 0,
    custom_docker_run_options: "--stop-timeout 0",
    ...fields
  })
  expect(answer.status, await answer.clone().text()).toBe(201)
  return ((await answer.json()) as { uuid: string }).uuid
}

/** Queues a deployment. */
export const deploy = async (base: string, uuid: string) => {
  const { deployments } = await json<{ deployments: ReadonlyArray<Shown> }>(
    send("POST", `${base}/api/v1/deploy?uuid=${uuid}`)
  )
  return deployments[0]?.deployment_uuid ?? ""
}
