import { readFileSync } from "node:fs"
import { Agent, get } from "node:http"
import { setTimeout as pause } from "node:timers/promises"

const usualConnections = 16
/** As many as a server takes from one caller before those that wait say more of it than of who asks. */
const mostConnections = 256
/** How late a request may be asked, in milliseconds: two ticks of a timer, and a little. */
const mostLate = 5

/** What a server did in one round. */
export interface Round {
  /** Answers a second. */
  readonly rate: number
  /** What the server used of processors for each answer, in microseconds. */
  readonly cpu: number
  /** How long each answer took, in milliseconds, from the shortest to the longest. */
  readonly times: ReadonlyArray<number>
}

/** What is asked of a server, whose process Linux knows by its number. */
export interface Target {
  readonly base: string
  readonly path: string
  readonly pid: number
  readonly token: string | undefined
}

const asking = ({ base, path, token }: Target, agent: Agent) => {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const address = new URL(path, base)
  return () =>
    new Promise<void>((resolve, reject) => {
      get(address, { agent, headers }, (response) => {
        if (response.statusCode !== 200) {
          response.on("data", (said) => reject(new Error(`${address}: ${response.statusCode} ${said}`)))
        }
        response.on("end", resolve).on("error", reject).resume()
      }).on("error", reject)
    })
}

/** Asks for a path as often as it can for so many milliseconds; Linux tells what the process of the server used. */
export const ask = async (target: Target, milliseconds: number, connections = usualConnections): Promise<Round> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const once = asking(target, agent)
  const times: Array<number> = []
  const until = performance.now() + milliseconds
  const worker = async () => {
    for (let now = performance.now(); now < until; ) {
      await once()
      const then = performance.now()
      times.push(then - now)
      now = then
    }
  }
  const [begin, used] = [performance.now(), cpuOf(target.pid)]
  await Promise.all(Array.from({ length: connections }, worker))
  const round = {
    rate: (times.length * 1_000) / (performance.now() - begin),
    cpu: ((cpuOf(target.pid) - used) * 1e6) / times.length,
    times: times.sort((one, other) => one - other)
  }
  agent.destroy()
  return round
}

/**
 * Asks for a path so often a second, whether or not answers have come, and says how long each took. What is due while this process
 * itself has no turn isn't asked: it would come in bursts that nobody sent.
 */
export const askAtRate = async (target: Target, rate: number, milliseconds: number): Promise<ReadonlyArray<number>> => {
  const agent = new Agent({ keepAlive: true, maxSockets: mostConnections })
  const once = asking(target, agent)
  const times: Array<number> = []
  const answers: Array<Promise<unknown>> = []
  const until = performance.now() + milliseconds
  let due = performance.now()
  for (let now = due; now < until; now = performance.now()) {
    due = Math.max(due, now - mostLate)
    for (; due <= now; due += 1_000 / rate) {
      const sent = performance.now()
      answers.push(once().then(() => times.push(performance.now() - sent)))
    }
    await pause(1)
  }
  await Promise.all(answers)
  agent.destroy()
  return times.sort((one, other) => one - other)
}

/** Returns how long a process has used processors, in seconds. */
export const cpuOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
