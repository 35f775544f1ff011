import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { isTried } from "../../../scripts/vitest/runs.ts"
import {
  create,
  deploy,
  deploymentOf,
  drainSettings,
  endOf,
  linesOf,
  logOf,
  onPodman,
  persistentSettings,
  requestPage,
  visit,
  type World
} from "./containers.ts"
import { EngineSocketProxy } from "./socketProxy.ts"
import { eventually, newDirectory, send, start } from "./support.ts"

const { containersOf, pageOf, podman, world } = onPodman("file")

const ping = /_ping/
const build = /^POST \S+\/build/
const startOne = /^POST \S+\/start/
const inspectOne = /^GET \S+\/containers\/[^/?]+\/json/
const listAll = /^GET \S+\/containers\/json/
const stopOne = /^POST \S+\/stop/

/** The state in which a deployment is paused while its service is killed. */
interface Moment {
  readonly state: string
  readonly when: string
  /** Whether a container serves already. */
  readonly isSecond: boolean
  /** Additional steps of its Dockerfile. */
  readonly steps?: string
  /** Brings the queued deployment to that state. */
  readonly reach: (socketProxy: EngineSocketProxy, at: World) => Promise<{ readonly leave?: () => void }>
}

/** Passes the requests in order, and holds the last one. */
const before =
  (...patterns: ReadonlyArray<RegExp>): Moment["reach"] =>
  async (socketProxy) => {
    for (const pattern of patterns) await socketProxy.hold(pattern)
    return {}
  }

/** Makes the deployment wait for the lock of the proxy. */
const beforeRoutes: Moment["reach"] = async (socketProxy, { settings }) => {
  await socketProxy.hold(startOne)
  const lock = new DatabaseSync(join(settings.DEPLOY_PROXY_DIRECTORY ?? "", "lock"))
  lock.exec("BEGIN EXCLUSIVE")
  socketProxy.open()
  return { leave: () => lock.close() }
}

const moments: ReadonlyArray<Moment> = [
  { state: "preparing", when: "before the engine answers", isSecond: false, reach: before(ping) },
  { state: "building", when: "before the build starts", isSecond: false, reach: before(build) },
  {
    state: "building",
    when: "while the engine builds",
    isSecond: false,
    steps: "RUN sleep 4\n",
    reach: async (socketProxy) => {
      await socketProxy.seen(build)
      await new Promise((resolve) => setTimeout(resolve, 500))
      return {}
    }
  },
  { state: "starting", when: "before the container starts", isSecond: false, reach: before(startOne) },
  {
    state: "checking",
    when: "before the health check",
    isSecond: false,
    reach: before(startOne, inspectOne)
  },
  { state: "switching", when: "before the route changes", isSecond: false, reach: beforeRoutes },
  { state: "starting", when: "next to a serving container", isSecond: true, reach: before(startOne) },
  { state: "switching", when: "after the route changed", isSecond: false, reach: before(startOne, listAll) },
  { state: "switching", when: "before the route leaves the serving container", isSecond: true, reach: beforeRoutes },
  { state: "switching", when: "before the old container stops", isSecond: true, reach: before(startOne, stopOne) }
]

const states = ["building", "starting", "checking", "switching", "finished"]

/** Visits a page repeatedly, and returns the distinct responses in order. */
const keepVisiting = (port: number, host: string) => {
  const changes: Array<string> = []
  let goesOn = true
  const visiting = (async () => {
    while (goesOn) {
      const { body, status } = await requestPage(port, host)
      if (changes.at(-1) !== `${status} ${body}`) changes.push(`${status} ${body}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  return async () => {
    goesOn = false
    await visiting
    return changes
  }
}

describe.concurrent("a service that is killed", () => {
  // A normal run tests every second moment, one in each state: `crash.test.ts` of `packages/memory` kills a worker
  // before every step.
  it.for(moments.filter((_, at) => isTried(2, at)))(
    "in $state, $when, completes the deployment after its restart, and repeats no step",
    { timeout: 300_000 },
    async (moment) => {
      const socketProxy = await EngineSocketProxy.before(podman().socket, join(newDirectory(), "door.sock"))
      try {
        const host = "killed.test"
        const at = await world({ ...persistentSettings, ...drainSettings, DEPLOY_ENGINE_SOCKET: socketProxy.path })
        const uuid = await create(at.base, "dockerfile", {
          dockerfile: `${pageOf("one")}${moment.steps ?? ""}`,
          domains: `http://${host}`
        })
        if (moment.isSecond) {
          const first = await deploy(at.base, uuid)
          expect((await endOf(at.base, first)).status, await logOf(at.base, first)).toBe("finished")
          await send("PATCH", `${at.base}/api/v1/applications/${uuid}`, { dockerfile: pageOf("two") })
        }
        const visits = moment.isSecond ? keepVisiting(at.port, host) : undefined

        const reached = moment.reach(socketProxy, at)
        const deployment = await deploy(at.base, uuid)
        const { leave } = await reached
        await eventually(async () => (await deploymentOf(at.base, deployment)).status === moment.state)
        await at.service.stop("SIGKILL")
        leave?.()
        socketProxy.open()
        const base = await start(at.directory, at.settings).listening()
        const ended = await endOf(base, deployment)

        expect([ended.status, ended.reason], await logOf(base, deployment)).toEqual(["finished", null])
        expect(await visit(at.port, host)).toEqual({ status: 200, body: moment.isSecond ? "two" : "one" })
        expect(await visits?.()).toEqual(moment.isSecond ? ["200 one", "200 two"] : undefined)
        expect(await containersOf(uuid)).toEqual([`${uuid}-${deployment}`])
        const lines = await linesOf(base, deployment)
        expect(lines.filter((line) => states.includes(line))).toEqual(states)
        const images = await Effect.runPromise(podman().podman("images", "--format", "{{.Repository}}:{{.Tag}}"))
        const made = images.split("\n").filter((name) => name.includes(uuid))
        expect([made.length, made.filter((name) => name.endsWith(`:${deployment}`)).length]).toEqual([
          moment.isSecond ? 2 : 1,
          1
        ])
      } finally {
        socketProxy.end()
      }
    }
  )
})
