import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ServiceProcess } from "@slipway/http/testing"

const root = join(import.meta.dirname, "..", "..", "..", "..")

/** The measured services, each with the environment variable that sets its port. */
export const services = { forge: "FORGE_PORT", deploy: "DEPLOY_PORT" } as const
export type Service = keyof typeof services

/** The API token that the deployment platform accepts from its first start. */
export const token = "chosen-by-the-benchmark"

/** Returns the command-line options of Node for a memory profile. */
export const flagsOf = (profile: "small" | "server"): ReadonlyArray<string> =>
  readFileSync(join(root, "scripts", "profiles", profile), "utf8")
    .trim()
    .split(" ")

/** The environment variables that `npm start` sets for glibc's memory allocator, to lower the memory of a service. */
const memoryVariables = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "65536" }

/** The environment variables that `npm start` sets in the profile `server`. */
export const serverVariables = { NODE_DISABLE_COMPILE_CACHE: "1" }

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** A running service, and the milliseconds from its start to its first response. */
export interface Started {
  readonly base: string
  readonly process: ServiceProcess
  readonly milliseconds: number
}

/** Starts a service, and polls `/healthz` every few milliseconds until the service responds. */
export const start = async (
  service: Service,
  directory: string,
  database: string,
  flags: ReadonlyArray<string>,
  more: Readonly<Record<string, string>> = {}
): Promise<Started> => {
  const port = await freePort()
  const settings = {
    ...more,
    DATABASE_URL: database,
    DEPLOY_TOKEN: token,
    [services[service]]: String(port),
    ...memoryVariables,
    NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compiled")
  }
  const base = `http://127.0.0.1:${port}`
  const begin = performance.now()
  const process = new ServiceProcess({
    main: join(root, "apps", service, "src", "main.ts"),
    directory,
    flags,
    settings
  })
  let ended: unknown
  process.ended.then((ending) => {
    ended = ending
  })
  while (ended === undefined) {
    const answered = await fetch(`${base}/healthz`).then(
      ({ ok }) => ok,
      () => false
    )
    if (answered) return { base, process, milliseconds: performance.now() - begin }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`${service} ended with ${ended}:\n${process.stdout}${process.stderr}`)
}

/** Runs a function with a temporary directory, which is removed afterwards. */
export const withDirectory = async <A>(use: (directory: string) => Promise<A>): Promise<A> => {
  const directory = mkdtempSync(join(tmpdir(), "slipway-bench-"))
  try {
    return await use(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Reads the current and the peak resident memory of a process from Linux, in megabytes. */
export const memoryOf = ({
  process
}: {
  readonly process: { readonly pid: number }
}): { readonly now: number; readonly peak: number } => {
  const status = readFileSync(`/proc/${process.pid}/status`, "utf8")
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1024
  return { now: read("VmRSS"), peak: read("VmHWM") }
}
