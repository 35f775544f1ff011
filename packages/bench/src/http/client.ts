import { readdirSync, readFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"

const usualConnections = 16
/** Maximum number of connections. With more connections, the measured waiting time would be that of the client. */
const mostConnections = 256
/**
 * The maximum delay in milliseconds between the scheduled and the real time of a request: slightly more than two timer
 * ticks.
 */
const mostLate = 5

/** The measurements of one round of requests to a server. */
export interface RequestRound {
  /** Responses per second. */
  readonly rate: number
  /** Processor time of the server per response, in microseconds. */
  readonly cpu: number
  /** The response times in milliseconds, sorted ascending. */
  readonly times: ReadonlyArray<number>
}

/** A measured server: its address, the requested path, its process id in Linux, and the token of the requests. */
export interface Target {
  readonly base: string
  readonly path: string
  readonly pid: number
  readonly token: string | undefined
}

/** A connection that sends one request at a time. */
interface Connection {
  /** Sends a request, and calls `answered` with the time at which the last byte of the response arrived. */
  readonly ask: (answered: (at: number) => void) => void
  readonly end: () => void
}

// The client shares the processors with the measured server, and its garbage would be collected in the server's time.
// So all input goes into the same memory, and an answer allocates no promise.
const bytes = Buffer.allocUnsafe(1 << 16)
/** Maximum size of the status line and headers of a response, in bytes. */
const mostOfHead = 4_096

/**
 * Connects to a server. Every request has the same bytes, and only the length of a response is parsed: this takes a
 * fraction of the processor time of Node's HTTP client.
 */
const connected = ({ base, path, token }: Target, failed: (error: Error) => void): Promise<Connection> => {
  const { host, hostname, port } = new URL(base)
  const authorization = token === undefined ? "" : `Authorization: Bearer ${token}\r\n`
  const question = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${authorization}\r\n`)
  let answered: ((at: number) => void) | undefined
  // The missing bytes of the current answer; while its head is incomplete, the part of the head that arrived.
  let missing = 0
  let head = ""
  let there = 0
  const read = (count: number) => {
    if (missing > 0) missing -= count
    else {
      head += bytes.toString("latin1", 0, Math.min(count, mostOfHead))
      there += count
      const end = head.indexOf("\r\n\r\n")
      if (end === -1 && there < mostOfHead) return true
      const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head.slice(0, end + 2))?.[1]
      if (!head.startsWith("HTTP/1.1 200 ") || length === undefined) {
        failed(new Error(`${base}${path}: ${head.slice(0, 1_000)}`))
        return false
      }
      missing = end + 4 + Number(length) - there
      head = ""
      there = 0
    }
    if (missing === 0) {
      const then = answered
      answered = undefined
      then?.(performance.now())
    }
    return true
  }
  const onread = { buffer: bytes, callback: read }
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread })
  const ended = () => failed(new Error(`${base}${path}: the connection ended`))
  // Servers close connections that were idle for some seconds; the next request needs a new one.
  socket.on("error", failed).on("close", () => {
    if (answered !== undefined) ended()
  })
  const ask = (then: (at: number) => void) => {
    if (socket.destroyed) return ended()
    answered = then
    socket.write(question)
  }
  return new Promise((resolve) => {
    socket.once("connect", () => resolve({ ask, end: () => socket.destroy() }))
  })
}

/** Opens a number of connections, runs a function on them, and closes them. Fails as soon as one connection fails. */
const withConnections = async (
  target: Target,
  count: number,
  use: (open: ReadonlyArray<Connection>) => Promise<void>
): Promise<void> => {
  let failed: (error: Error) => void = () => {}
  const failure = new Promise<never>((_, reject) => {
    failed = reject
  })
  const used = async () => {
    const open = await Promise.all(Array.from({ length: count }, () => connected(target, failed)))
    try {
      await Promise.race([use(open), failure])
    } finally {
      for (const { end } of open) end()
    }
  }
  await Promise.race([used(), failure])
}

const sorted = (numbers: Array<number>) => numbers.sort((one, other) => one - other)

/**
 * Requests a path as often as possible for a duration in milliseconds. Reads the server's processor time from Linux.
 */
export const requestRepeatedly = async (
  target: Target,
  milliseconds: number,
  count = usualConnections
): Promise<RequestRound> => {
  const times: Array<number> = []
  let [took, used] = [0, 0]
  await withConnections(target, count, async (open) => {
    const [begin, before] = [performance.now(), cpuOf(target.pid)]
    const until = begin + milliseconds
    await Promise.all(
      open.map(
        ({ ask }) =>
          new Promise<void>((done) => {
            let asked = performance.now()
            const again = (at: number) => {
              times.push(at - asked)
              asked = performance.now()
              if (asked < until) ask(again)
              else done()
            }
            ask(again)
          })
      )
    )
    took = performance.now() - begin
    used = cpuOf(target.pid) - before
  })
  return { rate: (times.length * 1_000) / took, cpu: (used * 1e6) / times.length, times: sorted(times) }
}

/** The number of responses after which V8 has compiled the server's code. */
const untilCompiled = 100_000

/**
 * Warms up a server: requests a path until V8 has compiled the code and PostgreSQL has planned the statements, for at
 * most a minute.
 */
export const warm = async (target: Target): Promise<void> => {
  const until = performance.now() + 60_000
  for (let answers = 0; answers < untilCompiled && performance.now() < until; ) {
    answers += (await requestRepeatedly(target, 1_000)).times.length
  }
}

/** Response times and the client's own delays, each in milliseconds and sorted ascending. */
export interface AtRate {
  readonly times: ReadonlyArray<number>
  readonly late: ReadonlyArray<number>
}

/**
 * Requests a path at a fixed rate per second without waiting for responses, and returns the response times.
 *
 * Skips requests that were due while this process had no processor time: sent late, they would form a burst that no
 * real client sends.
 */
export const requestAtRate = async (target: Target, rate: number, milliseconds: number): Promise<AtRate> => {
  const times: Array<number> = []
  const late: Array<number> = []
  await withConnections(target, mostConnections, async (open) => {
    // A server allocates state for each connection at its first use.
    for (const { ask } of open) await new Promise(ask)
    const waiting: Array<number> = []
    let quiet: () => void = () => {}
    /**
     * Returns a function that sends the request due at a given time on a connection, and afterwards requests that wait
     * for a free connection.
     */
    const sender = ({ ask }: Connection) => {
      let sent = 0
      const answered = (at: number) => {
        times.push(at - sent)
        const next = waiting.shift()
        if (next !== undefined) return send(next)
        if (idle.push(send) === open.length) quiet()
      }
      const send = (at: number) => {
        sent = at
        ask(answered)
      }
      return send
    }
    const idle = open.map(sender)
    const until = performance.now() + milliseconds
    let due = performance.now()
    for (let now = due; now < until; now = performance.now()) {
      due = Math.max(due, now - mostLate)
      for (; due <= now; due += 1_000 / rate) {
        const send = idle.pop()
        if (send === undefined) waiting.push(performance.now())
        else send(performance.now())
      }
      const before = performance.now()
      await pause(1)
      late.push(performance.now() - before - 1)
    }
    await new Promise<void>((resolve) => {
      quiet = resolve
      if (idle.length === open.length) resolve()
    })
  })
  return { times: sorted(times), late: sorted(late) }
}

/** Returns the processor time of a process in seconds: the sum over its threads, which Linux counts in nanoseconds. */
export const cpuOf = (pid: number): number => {
  const tasks = `/proc/${pid}/task`
  const used = readdirSync(tasks).map((task) =>
    Number(readFileSync(join(tasks, task, "schedstat"), "utf8").split(" ")[0])
  )
  return used.reduce((sum, each) => sum + each, 0) / 1e9
}
