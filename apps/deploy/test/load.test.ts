import { Agent, request } from "node:http"
import { putCommit, startForge } from "@slipway/git/testing"
import { Effect, Exit, Scope } from "effect"
import { expect, it } from "vitest"
import { create, deploy, drainSettings, endOf, logOf, onPodman } from "./containers.ts"

const { pageOf, world } = onPodman()

const perSecond = 200
const longest = 60_000

interface Seen {
  readonly answers: ReadonlyMap<string, number>
  readonly sent: number
  /** The longest time from the scheduled start of a request to its complete response, in milliseconds. */
  readonly worst: number
}

/** Sends requests on schedule, independently of earlier responses, until it is stopped. */
const load = (port: number, host: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const answers = new Map<string, number>()
  const open = new Set<Promise<void>>()
  const began = performance.now()
  let [sent, worst] = [0, 0]
  const ask = (due: number) =>
    new Promise<void>((resolve) => {
      const count = (which: string) => {
        worst = Math.max(worst, performance.now() - due)
        answers.set(which, (answers.get(which) ?? 0) + 1)
        resolve()
      }
      // A request that waits for a socket behind unanswered ones also fails with a reason.
      const signal = AbortSignal.timeout(longest)
      const asked = request({ host: "127.0.0.1", port, headers: { host }, agent, signal }, (response) => {
        let body = ""
        response.on("data", (chunk) => (body += chunk))
        response.on("end", () => count(`${response.statusCode} ${body.trim()}`))
        response.on("error", (cause) => count(signal.aborted ? "no whole answer" : cause.message))
      })
      asked.on("error", (cause) => count(signal.aborted ? "no answer" : cause.message))
      asked.end()
    })
  const timer = setInterval(() => {
    const elapsed = Math.min(performance.now() - began, longest)
    for (; sent < (elapsed * perSecond) / 1000; sent++) {
      const asking = ask(began + (sent * 1000) / perSecond).finally(() => open.delete(asking))
      open.add(asking)
    }
  }, 5)
  return async (): Promise<Seen> => {
    clearInterval(timer)
    await Promise.all(open)
    agent.destroy()
    return { answers, sent, worst }
  }
}

it(`an update of the commit under ${perSecond} requests a second fails no request, and every response is from the old or the new release`, async ({
  annotate,
  onTestFinished
}) => {
  const scope = Scope.makeUnsafe()
  const forge = await Effect.runPromise(Scope.provide(startForge, scope))
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const repository = forge.repository("busy.git")
  const commit = (text: string) => putCommit(repository, "main", { message: text, files: { Dockerfile: pageOf(text) } })
  commit("one")
  const { base, port } = await world({ ...drainSettings, DEPLOY_ALLOW_PRIVATE_ADDRESSES: "true" })
  const uuid = await create(base, "public", {
    git_repository: `http://127.0.0.1:${forge.port}/busy.git`,
    git_branch: "main",
    build_pack: "dockerfile",
    domains: "http://busy.test"
  })
  expect((await endOf(base, await deploy(base, uuid))).status).toBe("finished")
  commit("two")

  const stop = load(port, "busy.test")
  onTestFinished(() => void stop())
  const second = await deploy(base, uuid)
  const ended = await endOf(base, second)
  const { answers, sent, worst } = await stop()

  expect(ended.status, await logOf(base, second)).toBe("finished")
  expect([...answers.keys()].toSorted()).toEqual(["200 one", "200 two"])
  expect([...answers.values()].reduce((sum, count) => sum + count, 0)).toBe(sent)
  await annotate(`${sent} requests, the slowest took ${Math.round(worst)} ms`)
}, 420_000)
