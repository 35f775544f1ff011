import { readFileSync } from "node:fs"
import { Agent, get } from "node:http"

const usualConnections = 16

/** What a server did in one round. */
export interface Round {
  /** Answers a second. */
  readonly rate: number
  /** What the server used of processors for each answer, in microseconds. */
  readonly cpu: number
  /** How long each answer took, in milliseconds, from the shortest to the longest. */
  readonly times: ReadonlyArray<number>
}

/** Asks for a path as often as it can for so many milliseconds; Linux tells what the process of the server used. */
export const ask = async (
  { base, path, pid, token }: { base: string; path: string; pid: number; token: string | undefined },
  milliseconds: number,
  connections = usualConnections
): Promise<Round> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const address = new URL(path, base)
  const once = () =>
    new Promise<void>((resolve, reject) => {
      get(address, { agent, headers }, (response) => {
        if (response.statusCode !== 200) {
          response.on("data", (said) => reject(new Error(`${address}: ${response.statusCode} ${said}`)))
        }
        response.on("end", resolve).on("error", reject).resume()
      }).on("error", reject)
    })
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
  const [begin, used] = [performance.now(), cpuOf(pid)]
  await Promise.all(Array.from({ length: connections }, worker))
  const round = {
    rate: (times.length * 1_000) / (performance.now() - begin),
    cpu: ((cpuOf(pid) - used) * 1e6) / times.length,
    times: times.sort((one, other) => one - other)
  }
  agent.destroy()
  return round
}

/** Returns how long a process has used processors, in seconds. */
export const cpuOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
