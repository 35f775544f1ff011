// Kills one of three processes of the forge every few seconds while all of them open and read issues, on one PostgreSQL
// server. The argument is the duration in seconds: 180. Exits with code 1 when an acknowledged issue is lost, one
// exists twice, a process answers with an internal error, or no process answers a read.
import { setTimeout as pause } from "node:timers/promises"
import { startPostgres } from "@slipway/sql/testing"
import { Effect, Redacted } from "effect"
import { type Started, start, withDirectory } from "./start/service.ts"
import { print } from "./support/output.ts"

const [seconds = 180] = process.argv.slice(2).map(Number)
const processes = 3
const killedEvery = 4_000
const writers = 4
const readers = 4
const password = "correct horse battery"

/**
 * Marks a request with an unknown outcome: no connection, a lost connection, or status 503 from an overloaded database.
 */
const unanswered = Symbol("unanswered")

const program = Effect.gen(function* () {
  const server = yield* startPostgres()
  yield* Effect.promise(() =>
    withDirectory(async (directory) => {
      const url = Redacted.value(server.url)
      const settings = { FORGE_ADMIN_USERNAME: "ann", FORGE_ADMIN_PASSWORD: password, FORGE_SSH_PORT: "off" }
      const begin = () => start("forge", directory, url, [], settings)
      const running: Array<Started | undefined> = [await begin()]
      while (running.length < processes) running.push(await begin())

      let authorization = `Basic ${Buffer.from(`ann:${password}`).toString("base64")}`
      let busy = 0
      const send = async (to: Started, method: string, path: string, body?: unknown) => {
        try {
          const response = await fetch(`${to.base}/api/v1${path}`, {
            method,
            headers: { authorization, "content-type": "application/json" },
            ...(body === undefined ? {} : { body: JSON.stringify(body) })
          })
          const text = await response.text()
          if (response.status !== 503) return { status: response.status, text }
          busy += 1
          return unanswered
        } catch {
          return unanswered
        }
      }
      const must = async (method: string, path: string, body?: unknown) => {
        const answer = await send(running[0] as Started, method, path, body)
        if (answer === unanswered || answer.status >= 300)
          throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
        return JSON.parse(answer.text)
      }
      authorization = `token ${(await must("POST", "/users/ann/tokens", { name: "bench", scopes: ["all"] })).sha1}`
      await must("POST", "/user/repos", { name: "app" })

      let isOver = false
      let kills = 0
      const killing = (async () => {
        for (let at = 0; !isOver; at = (at + 1) % processes) {
          await pause(killedEvery)
          const victim = running[at]
          if (isOver || victim === undefined) break
          running[at] = undefined
          await victim.process.stop("SIGKILL")
          kills += 1
          running[at] = await begin()
        }
      })()
      const alive = () => running.filter((each) => each !== undefined)
      const some = (turn: number) => alive()[turn % alive().length] as Started

      const answered = new Map<string, number>()
      const cut = new Set<string>()
      const failures: Array<string> = []
      let reads = 0
      let deaf = 0
      const write = async (writer: number) => {
        for (let turn = 0; !isOver; turn++) {
          const title = `${writer}-${turn}`
          const answer = await send(some(turn), "POST", "/repos/ann/app/issues", { title })
          if (answer === unanswered) cut.add(title)
          else if (answer.status === 201) answered.set(title, JSON.parse(answer.text).number)
          else failures.push(`${answer.status} ${answer.text}`)
          await pause(20)
        }
      }
      const read = async (reader: number) => {
        for (let turn = reader; !isOver; turn++) {
          // A load balancer sends the request to another process if the first one is gone.
          let answer: Awaited<ReturnType<typeof send>> = unanswered
          for (const each of [some(turn), ...alive()]) {
            answer = await send(each, "GET", "/repos/ann/app/issues?limit=5")
            if (answer !== unanswered) break
          }
          if (answer === unanswered) deaf += 1
          else if (answer.status === 200) reads += 1
          else failures.push(`${answer.status} ${answer.text}`)
          await pause(20)
        }
      }
      const working = [...Array(writers).keys()].map(write).concat([...Array(readers).keys()].map(read))
      await pause(seconds * 1_000)
      isOver = true
      await Promise.all([...working, killing])

      const found = new Map<string, Array<number>>()
      for (let page = 1, more = true; more; page++) {
        const issues: ReadonlyArray<{ readonly title: string; readonly number: number }> = await must(
          "GET",
          `/repos/ann/app/issues?state=all&limit=50&page=${page}`
        )
        for (const { number, title } of issues) found.set(title, [...(found.get(title) ?? []), number])
        more = issues.length === 50
      }
      const lost = [...answered].filter(([title, number]) => found.get(title)?.includes(number) !== true)
      const twice = [...found].filter(([, numbers]) => numbers.length > 1)
      const numbers = [...found.values()].flat()
      const invented = [...found.keys()].filter((title) => !answered.has(title) && !cut.has(title))
      print(`processes killed           ${kills}`)
      print(`issues confirmed           ${answered.size}`)
      print(
        `opened, unconfirmed        ${cut.size}, of which ${[...cut].filter((title) => found.has(title)).length} exist`
      )
      print(`lost                       ${lost.length}`)
      print(`duplicates                 ${twice.length}, numbers ${numbers.length - new Set(numbers).size}`)
      print(`reads answered             ${reads}, unanswered ${deaf}`)
      print(`answered 503               ${busy}`)
      print(`failures answered          ${failures.length}${failures.length > 0 ? `: ${failures[0]}` : ""}`)
      const wrong =
        lost.length + twice.length + invented.length + deaf + failures.length + (numbers.length - new Set(numbers).size)
      process.exitCode = wrong === 0 && answered.size > 0 ? 0 : 1
      for (const each of alive()) await each.process.stop("SIGKILL")
    })
  )
})

await Effect.runPromise(Effect.scoped(program))
