import { readFileSync } from "node:fs"
import { request } from "node:http"
import { createServer } from "node:net"
import { join } from "node:path"
import { type PodmanService, startPodman } from "@slipway/docker/testing"
import type { ServiceProcess } from "@slipway/http/testing"
import { Effect, Exit, Scope } from "effect"
import { afterAll, afterEach, beforeAll, expect } from "vitest"
import { answeredWithin, endServices, eventually, newDirectory, placesAt, send, start, token } from "./support.ts"

/** A service with a separate Caddy, on the Podman that the tests of a file share. */
export interface World {
  readonly base: string
  readonly directory: string
  /** The port of the proxy. */
  readonly port: number
  readonly service: ServiceProcess
  readonly settings: Readonly<Record<string, string>>
}

/** The functions of tests on Podman. */
export interface Containers {
  readonly podman: () => PodmanService
  readonly world: (settings?: Readonly<Record<string, string>>) => Promise<World>
  /** Returns a Dockerfile for a page with a text. */
  readonly pageOf: (text: string) => string
  /** Lists the names of all containers of an application. */
  readonly containersOf: (uuid: string) => Promise<ReadonlyArray<string>>
}

const killCaddies = (directories: ReadonlyArray<string>) => {
  // Read before the services exit, which deletes their directories.
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

/** The settings of a service with data that outlives it. */
export const persistentSettings = { DEPLOY_DATABASE_URL: "file:data" }

/** The settings of a service that gives containers a second for requests in progress. */
export const drainSettings = { DEPLOY_DRAIN: "1" }

/** Finds a free port. */
export const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/**
 * Gives a file a Podman. Services and their Caddies end after each test, or with the file if its tests run
 * concurrently.
 */
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
    // A step that runs a command would take as long as all others of a deployment.
    pageOf: (text) => `FROM ${podman.image}
CMD ["sh", "-c", "mkdir /www; echo ${text} > /www/index.html; exec httpd -f -p 8080 -h /www"]
`,
    containersOf: async (uuid) =>
      (await Effect.runPromise(podman.podman("ps", "--all", "--format", "{{.Names}}")))
        .split("\n")
        .filter((name) => name.startsWith(uuid))
  }
}

/** The response to a visitor. */
export interface Answer {
  readonly status: number
  readonly body: string
}

const wasReset = "ECONNRESET"

/** Requests a page of a host from the proxy once; status 0 means no response. */
export const requestPage = (port: number, host: string, path = "/"): Promise<Answer> =>
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
 * Requests a page of a host from the proxy, and retries like a browser if Caddy resets queued requests during a
 * configuration change (also of another test). Tests of failed requests use `requestPage`.
 */
export const visit = async (port: number, host: string, path = "/", again = 3): Promise<Answer> => {
  const answer = await requestPage(port, host, path)
  return answer.body === wasReset && answer.status === 0 && again > 0 ? visit(port, host, path, again - 1) : answer
}

/** A deployment as the API returns it. */
export interface Shown {
  readonly deployment_uuid: string
  readonly status: string
  readonly reason: string | null
}

/** Reads the body of a response. */
export const json = async <A>(answer: Promise<Response>): Promise<A> => (await answer).json() as Promise<A>

/** Reads the lines of the log of a deployment. */
export const linesOf = async (base: string, uuid: string): Promise<ReadonlyArray<string>> =>
  (await json<ReadonlyArray<{ text: string }>>(send("GET", `${base}/api/v1/deployments/${uuid}/logs?limit=1000`))).map(
    ({ text }) => text
  )

/** Reads the log of a deployment. */
export const logOf = async (base: string, uuid: string): Promise<string> => (await linesOf(base, uuid)).join("\n")

/** Reads the status of a deployment. */
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

/** Creates an application that is quick to deploy, with additional fields. */
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
