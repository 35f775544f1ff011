import { join } from "node:path"
import { type ServiceProcess, ServiceProcesses } from "@slipway/http/testing"
import { postgresMissing, testDatabase } from "@slipway/sql/testing"
import { Effect, Exit, Redacted, Scope } from "effect"
import { describe } from "vitest"

const processes = new ServiceProcesses(join(import.meta.dirname, "..", "src", "main.ts"))
const scopes: Array<Scope.Closeable> = []

/**
 * Ends everything that a test started; every test file passes it to `afterEach` itself.
 *
 * Files share this module: a hook here would belong to the first file only.
 */
export const endServices = async (): Promise<void> => {
  await processes.end()
  for (const scope of scopes.splice(0)) await Effect.runPromise(Scope.close(scope, Exit.void))
}

/** Creates a directory that is deleted after the test. */
export const newDirectory: typeof processes.directory = (options) => processes.directory(options)

/** The root token of the tests. */
export const token = "chosen-by-the-test"

/** Starts the service; it is killed after the test. */
export const start = (directory: string, settings: Readonly<Record<string, string>> = {}): ServiceProcess =>
  processes.start(directory, settings)

/** Creates an empty database on the tests' server, which is dropped after the test, and returns its address. */
export const newDatabase = async (): Promise<string> => {
  const scope = Scope.makeUnsafe()
  scopes.push(scope)
  return Redacted.value((await Effect.runPromise(Scope.provide(testDatabase, scope))).url)
}

/** Registers tests that need a PostgreSQL server. */
export const onServer = (title: string, tests: () => void): void =>
  void describe.skipIf(postgresMissing() !== undefined)(title, tests)

/** The timeout of a request in milliseconds, shorter than that of its test. */
export const answeredWithin = 60_000

/** Sends a request with a token and a JSON body. */
export const send = (method: string, address: string, body?: unknown, bearer = token): Promise<Response> =>
  fetch(address, {
    method,
    signal: AbortSignal.timeout(answeredWithin),
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })

const json = async <A>(response: Promise<Response>): Promise<A> => (await (await response).json()) as A

/** Returns the resources of a first start that a new application needs. */
export const placesAt = async (base: string, bearer = token) => {
  const [project] = await json<ReadonlyArray<{ uuid: string }>>(
    send("GET", `${base}/api/v1/projects`, undefined, bearer)
  )
  const [server] = await json<ReadonlyArray<{ uuid: string }>>(send("GET", `${base}/api/v1/servers`, undefined, bearer))
  return { project_uuid: project?.uuid, environment_name: "production", server_uuid: server?.uuid }
}

/** Creates an application from an image, with additional fields. */
export const createAt = async (base: string, fields: Readonly<Record<string, unknown>> = {}): Promise<Response> =>
  send("POST", `${base}/api/v1/applications/dockerimage`, {
    ...(await placesAt(base)),
    docker_registry_image_name: "nginx",
    ...fields
  })

/** Returns the UUIDs of all applications. */
export const applicationsAt = async (base: string): Promise<ReadonlyArray<string>> =>
  (await json<ReadonlyArray<{ uuid: string }>>(send("GET", `${base}/api/v1/applications`))).map(({ uuid }) => uuid)

/** Waits until a condition holds. */
export const eventually = async (holds: () => Promise<boolean>, milliseconds = 60_000): Promise<void> => {
  const until = performance.now() + milliseconds
  while (!(await holds())) {
    if (performance.now() > until) throw new Error("it did not come true in time")
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Opens a stream of events, optionally after a given event. */
export const openStream = async (address: string, last?: string) => {
  const resumed = last === undefined ? {} : { "last-event-id": last }
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}`, ...resumed } })
  if (response.headers.get("content-type") !== "text/event-stream") throw new Error(await response.text())
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ""
  return {
    /** Reads until a condition holds for the received text, or the stream ends, and returns the text. */
    until: async (holds: (sent: string) => boolean): Promise<string> => {
      while (!holds(text)) {
        const { done, value } = await reader.read()
        if (done) break
        text += decoder.decode(value, { stream: true })
      }
      return text
    },
    leave: () => reader.cancel()
  }
}
