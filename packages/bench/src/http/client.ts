import { readdirSync, readFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
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

/** A connection that asks for one thing, and waits for the answer before it asks again. */
interface Connection {
  /** Asks, and says when the last byte of the answer was there. */
  readonly ask: () => Promise<number>
  readonly end: () => void
}

/**
 * Connects to a server. What is sent is always the same bytes, and of an answer no more is read than its length: what
 * measures shares the processors with what is measured, and takes a fraction of the time that Node's own client does.
 */
const connected = ({ base, path, token }: Target): Promise<Connection> => {
  const { host, hostname, port } = new URL(base)
  const authorization = token === undefined ? "" : `Authorization: Bearer ${token}\r\n`
  const question = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${authorization}\r\n`)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let answered: (at: number) => void = () => {}
  let failed: (error: Error) => void = () => {}
  // How much of the answer is still to come; of one that begins, its head.
  let missing = 0
  let head = ""
  socket.on("data", (bytes) => {
    if (missing > 0) missing -= bytes.length
    else {
      head += bytes.toString("latin1")
      const end = head.indexOf("\r\n\r\n")
      if (end === -1) return
      const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head.slice(0, end + 2))?.[1]
      if (!head.startsWith("HTTP/1.1 200 ") || length === undefined) {
        socket.destroy()
        return failed(new Error(`${base}${path}: ${head.slice(0, 1_000)}`))
      }
      missing = end + 4 + Number(length) - head.length
      head = ""
    }
    if (missing === 0) answered(performance.now())
  })
  const ended = () => new Error(`${base}${path}: the connection ended`)
  const asking = () =>
    new Promise<number>((resolve, reject) => {
      // Servers end connections that were idle for some seconds, which nothing tells of whoever asks next.
      if (socket.destroyed) return reject(ended())
      answered = resolve
      failed = reject
      socket.write(question)
    })
  const gone = (cause?: Error) => failed(cause ?? ended())
  return new Promise((resolve, reject) => {
    failed = reject
    socket.on("error", gone).on("close", () => gone())
    socket.once("connect", () => resolve({ ask: asking, end: () => socket.destroy() }))
  })
}

const connections = (target: Target, count: number): Promise<Array<Connection>> =>
  Promise.all(Array.from({ length: count }, () => connected(target)))

/** Asks for a path as often as it can for so many milliseconds; Linux tells what the process of the server used. */
export const ask = async (target: Target, milliseconds: number, count = usualConnections): Promise<Round> => {
  const open = await connections(target, count)
  const times: Array<number> = []
  const [begin, used] = [performance.now(), cpuOf(target.pid)]
  const until = begin + milliseconds
  const worker = async ({ ask }: Connection) => {
    for (let now = performance.now(); now < until; ) {
      const then = await ask()
      times.push(then - now)
      now = performance.now()
    }
  }
  await Promise.all(open.map(worker))
  const round = {
    rate: (times.length * 1_000) / (performance.now() - begin),
    cpu: ((cpuOf(target.pid) - used) * 1e6) / times.length,
    times: times.sort((one, other) => one - other)
  }
  for (const each of open) each.end()
  return round
}

/** After how many answers V8 has compiled what gives them, as far as it ever does. */
const untilCompiled = 100_000

/** Asks for a path until what answers is compiled and its statements are planned; for twenty seconds at the most. */
export const warm = async (target: Target): Promise<void> => {
  const until = performance.now() + 20_000
  for (let answers = 0; answers < untilCompiled && performance.now() < until; ) {
    answers += (await ask(target, 1_000)).times.length
  }
}

/** How long answers took, and how late whoever asked came to its own turns, each in milliseconds from the least to the most. */
export interface AtRate {
  readonly times: ReadonlyArray<number>
  readonly late: ReadonlyArray<number>
}

/**
 * Asks for a path so often a second, whether or not answers have come, and says how long each took. What is due while this process
 * itself has no turn isn't asked: it would come in bursts that nobody sent.
 */
export const askAtRate = async (target: Target, rate: number, milliseconds: number): Promise<AtRate> => {
  const idle = await connections(target, mostConnections)
  const all = [...idle]
  // A server has something to make for each connection when it is first used.
  for (const { ask } of all) await ask()
  const waiting: Array<number> = []
  const times: Array<number> = []
  const late: Array<number> = []
  const answers: Array<Promise<void>> = []
  /** Asks what was sent at a time, and then what waits for a connection. */
  const use = async (connection: Connection, sent: number) => {
    for (let next: number | undefined = sent; next !== undefined; next = waiting.shift()) {
      times.push((await connection.ask()) - next)
    }
    idle.push(connection)
  }
  const until = performance.now() + milliseconds
  let due = performance.now()
  for (let now = due; now < until; now = performance.now()) {
    due = Math.max(due, now - mostLate)
    for (; due <= now; due += 1_000 / rate) {
      const sent = performance.now()
      const connection = idle.pop()
      if (connection === undefined) waiting.push(sent)
      else answers.push(use(connection, sent))
    }
    const before = performance.now()
    await pause(1)
    late.push(performance.now() - before - 1)
  }
  await Promise.all(answers)
  for (const each of all) each.end()
  const sorted = (numbers: Array<number>) => numbers.sort((one, other) => one - other)
  return { times: sorted(times), late: sorted(late) }
}

/** Returns how long the threads of a process have used processors, in seconds; Linux counts nanoseconds of each. */
export const cpuOf = (pid: number): number => {
  const tasks = `/proc/${pid}/task`
  const used = readdirSync(tasks).map((task) =>
    Number(readFileSync(join(tasks, task, "schedstat"), "utf8").split(" ")[0])
  )
  return used.reduce((sum, each) => sum + each, 0) / 1e9
}
