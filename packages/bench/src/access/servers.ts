import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { cpuOf } from "../http/client.ts"
import { rateOfRequests } from "../peer/client.ts"
import { median } from "../support/numbers.ts"
import { print, printProgress } from "../support/output.ts"
import { decide, examples, listers, openLists, type Question } from "./documents.ts"
import { openFgaModel, spiceSchema, tuples, typed } from "./relations.ts"

const [turns, milliseconds] = [3, 2_000]
const key = "slipway-bench"

/** An HTTP request with a JSON body. */
interface Request {
  readonly path: string
  readonly body: object
}

/** A running server with the world of the examples. */
interface Server {
  readonly name: string
  readonly base: string
  readonly check: (question: Question) => Request
  readonly list: (user: string) => Request
  /** Returns the decision, or the names of the listed documents, in the text of a response. */
  readonly allowed: (text: string) => boolean
  readonly listed: (text: string) => ReadonlyArray<string>
  readonly pid: number
  readonly stop: () => void
}

const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }

const send = async (base: string, { body, path }: Request): Promise<string> => {
  const response = await fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return text
}

const bytesOf = (base: string, { body, path }: Request): Buffer => {
  const text = JSON.stringify(body)
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: ${new URL(base).host}`,
    `Content-Type: ${headers["content-type"]}`,
    `Authorization: ${headers.authorization}`,
    `Content-Length: ${Buffer.byteLength(text)}`
  ]
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${text}`)
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

const running = (child: ChildProcess): Pick<Server, "pid" | "stop"> => ({
  pid: child.pid ?? Number.NaN,
  stop: () => void child.kill()
})

/** Starts a program, and waits until it accepts connections. */
const started = async (program: string, args: ReadonlyArray<string>, base: string) => {
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] })
  let output = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output = (output + text).slice(-2_000)
  })
  for (let attempt = 0; attempt < 300; attempt++) {
    if (child.exitCode !== null) throw new Error(`${program} exited with ${child.exitCode}:\n${output}`)
    const isUp = await fetch(`${base}/healthz`).then(
      () => true,
      () => false
    )
    if (isUp) return running(child)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  child.kill()
  throw new Error(`${program} does not accept connections at ${base}:\n${output}`)
}

/** Returns the version of a Go module in a program that was built from it. */
const versionOf = (program: string, module: string): string => {
  const found = new RegExp(`\\tgithub\\.com/${module}\\tv(\\d+\\.\\d+\\.\\d+)`).exec(readFileSync(program, "latin1"))
  return found?.[1] ?? "of an unknown version"
}

const chunks = <A>(of: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(of.length / size) }, (_, at) => of.slice(at * size, (at + 1) * size))

const startOwn = async (): Promise<Server> => {
  const args = ["--conditions=@slipway/source", join(import.meta.dirname, "ownServer.ts")]
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] })
  const [port] = await once(child.stdout, "data")
  return {
    name: "slipway over HTTP",
    base: `http://127.0.0.1:${String(port).trim()}`,
    check: (body) => ({ path: "/check", body }),
    list: (user) => ({ path: "/list", body: { user } }),
    allowed: (text) => JSON.parse(text).allowed === true,
    listed: (text) => JSON.parse(text).objects,
    ...running(child)
  }
}

const startOpenFga = async (program: string): Promise<Server> => {
  const [http, grpc] = [await freePort(), await freePort()]
  const base = `http://127.0.0.1:${http}`
  const process = await started(
    program,
    [
      ...["run", "--datastore-engine", "memory", "--log-level", "none"],
      ...["--http-addr", `127.0.0.1:${http}`, "--grpc-addr", `127.0.0.1:${grpc}`],
      ...["--playground-enabled=false", "--metrics-enabled=false", "--listObjects-max-results", "0"]
    ],
    base
  )
  const { id } = JSON.parse(await send(base, { path: "/stores", body: { name: "bench" } }))
  const { authorization_model_id } = JSON.parse(
    await send(base, { path: `/stores/${id}/authorization-models`, body: openFgaModel })
  )
  for (const part of chunks(tuples, 100)) {
    const tuple_keys = part.map(({ object, relation, subject }) => ({ user: subject, relation, object }))
    await send(base, { path: `/stores/${id}/write`, body: { authorization_model_id, writes: { tuple_keys } } })
  }
  return {
    name: `OpenFGA ${versionOf(program, "openfga/openfga")}`,
    base,
    check: ({ action, object, user }) => ({
      path: `/stores/${id}/check`,
      body: { authorization_model_id, tuple_key: { user: typed(user), relation: action, object: typed(object) } }
    }),
    list: (user) => ({
      path: `/stores/${id}/list-objects`,
      body: { authorization_model_id, user: typed(user), relation: "edit", type: "document" }
    }),
    allowed: (text) => JSON.parse(text).allowed === true,
    listed: (text) => JSON.parse(text).objects.map((name: string) => name.replace("document:", "")),
    ...process
  }
}

/** Returns a name with its type as an object or a subject of SpiceDB. */
const reference = (name: string) => {
  const [full = "", relation] = name.split("#")
  const [objectType, objectId] = full.split(":")
  return { object: { objectType, objectId }, ...(relation === undefined ? {} : { optionalRelation: relation }) }
}

const startSpice = async (program: string): Promise<Server> => {
  const [http, grpc, dispatch] = [await freePort(), await freePort(), await freePort()]
  const base = `http://127.0.0.1:${http}`
  const process = await started(
    program,
    [
      ...["serve", "--datastore-engine", "memory", "--grpc-preshared-key", key, "--log-level", "error"],
      ...["--http-enabled", "--http-addr", `127.0.0.1:${http}`, "--grpc-addr", `127.0.0.1:${grpc}`],
      ...["--dispatch-cluster-addr", `127.0.0.1:${dispatch}`, "--metrics-enabled=false"],
      ...["--skip-release-check", "--telemetry-endpoint", "", "--dispatch-cluster-enabled=false"]
    ],
    base
  )
  await send(base, { path: "/v1/schema/write", body: { schema: spiceSchema } })
  for (const part of chunks(tuples, 500)) {
    const updates = part.map(({ object, relation, subject }) => ({
      operation: "OPERATION_TOUCH",
      relationship: { resource: reference(object).object, relation, subject: reference(subject) }
    }))
    await send(base, { path: "/v1/relationships/write", body: { updates } })
  }
  const consistency = { minimizeLatency: true }
  return {
    name: `SpiceDB ${versionOf(program, "authzed/spicedb")}`,
    base,
    check: ({ action, object, user }) => ({
      path: "/v1/permissions/check",
      body: {
        consistency,
        resource: reference(typed(object)).object,
        permission: action,
        subject: reference(typed(user))
      }
    }),
    list: (user) => ({
      path: "/v1/permissions/resources",
      body: {
        consistency,
        resourceObjectType: "document",
        permission: "edit",
        subject: reference(typed(user))
      }
    }),
    allowed: (text) => JSON.parse(text).permissionship === "PERMISSIONSHIP_HAS_PERMISSION",
    listed: (text) =>
      text
        .trim()
        .split("\n")
        .flatMap((line) => (line === "" ? [] : [JSON.parse(line).result.resourceObjectId])),
    ...process
  }
}

/** Returns the first questions and lists that a server answers differently from `@slipway/access` in this process. */
const differences = async (server: Server, list: (user: string) => ReadonlyArray<string>) => {
  const found: Array<string> = []
  for (const some of chunks(Object.values(examples).flat(), 16)) {
    const answers = await Promise.all(some.map((question) => send(server.base, server.check(question))))
    for (const [at, question] of some.entries()) {
      const allowed = server.allowed(answers[at] ?? "{}")
      if (allowed !== decide(question)) found.push(`${Object.values(question).join(" ")}: ${allowed}`)
    }
  }
  for (const user of listers) {
    const objects = server.listed(await send(server.base, server.list(user)))
    const missing = list(user).filter((each) => !objects.includes(each))
    if (missing.length > 0 || objects.length !== list(user).length) {
      found.push(`the list of ${user} has ${objects.length} documents instead of ${list(user).length}`)
    }
  }
  return found
}

/** Returns the processor time of this process for a call, in microseconds. */
const timeHere = (calls: ReadonlyArray<() => unknown>): number => {
  const [begin, before] = [performance.now(), process.cpuUsage()]
  let count = 0
  while (performance.now() - begin < milliseconds / 2) {
    for (const call of calls) call()
    count += calls.length
  }
  const { system, user } = process.cpuUsage(before)
  return (user + system) / count
}

/** Sends requests for a while. Returns the responses per second, and the processor time of a response in microseconds. */
const timeOf = async ({ base, pid }: Server, requests: ReadonlyArray<Buffer>) => {
  const [begin, before] = [performance.now(), cpuOf(pid)]
  const rate = await rateOfRequests(base, requests, milliseconds)
  const count = (rate * (performance.now() - begin)) / 1_000
  return { rate, time: ((cpuOf(pid) - before) * 1e6) / count }
}

const number = (value: number): string => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en"))

const measure = async (servers: ReadonlyArray<Server>): Promise<void> => {
  const list = openLists()
  for (const server of servers) {
    printProgress(`comparing the answers of ${server.name}`)
    const found = await differences(server, list)
    if (found.length > 0) throw new Error(`${server.name} differs in ${found.length} answers, such as ${found[0]}`)
  }
  const [, ...others] = servers
  const rows = [
    ...Object.entries(examples).map(([name, questions]) => ({
      name,
      here: questions.map((question) => () => decide(question)),
      requests: (server: Server) => questions.map(server.check)
    })),
    {
      name: "5. lists",
      here: listers.map((user) => () => list(user)),
      requests: (server: Server) => listers.map(server.list)
    }
  ]
  const allowed = Object.values(examples).map((questions) => questions.filter(decide).length)
  print(`${Object.values(examples).flat().length} questions, of which ${allowed.join(", ")} are allowed;`)
  print(`${listers.length} lists of at most ${Math.max(...listers.map((user) => list(user).length))} documents\n`)
  const columns = [
    "CPU µs of a check or list",
    "slipway in the program",
    ...servers.map(({ name }) => name),
    ...others.map(({ name }) => `${name}: times`),
    "a second: slipway over HTTP, the others"
  ]
  print(`| ${columns.join(" | ")} |`)
  print(
    `|---|${columns
      .slice(1)
      .map(() => "---:|")
      .join("")}`
  )
  for (const { here, name, requests } of rows) {
    printProgress(`measuring ${name}`)
    const inProgram: Array<number> = []
    const results = servers.map((): Array<{ readonly rate: number; readonly time: number }> => [])
    for (let turn = 0; turn <= turns; turn++) {
      const time = timeHere(here)
      // The first turn fills caches and compiles code.
      if (turn > 0) inProgram.push(time)
      for (const [at, server] of servers.entries()) {
        const sent = requests(server).map((request) => bytesOf(server.base, request))
        const result = await timeOf(server, sent)
        if (turn > 0) results[at]?.push(result)
      }
    }
    const times = results.map((each) => median(each.map(({ time }) => time)))
    const rates = results.map((each) => number(median(each.map(({ rate }) => rate))))
    const [own = 0, ...theirs] = times
    const ratios = theirs.map((each) => (each / own).toFixed(1))
    print(`| ${[name, ...[median(inProgram), ...times].map(number), ...ratios, rates.join(", ")].join(" | ")} |`)
  }
}

/** Measures the five examples on the servers that environment variables name. */
export const measureServers = async (): Promise<void> => {
  const { SLIPWAY_BENCH_OPENFGA: openFga, SLIPWAY_BENCH_SPICEDB: spice } = process.env
  if (openFga === undefined && spice === undefined) {
    printProgress(
      "SLIPWAY_BENCH_OPENFGA and SLIPWAY_BENCH_SPICEDB are missing: the paths of the programs, built with Go"
    )
    process.exitCode = 2
    return
  }
  const servers: Array<Server> = []
  try {
    servers.push(await startOwn())
    if (openFga !== undefined) servers.push(await startOpenFga(openFga))
    if (spice !== undefined) servers.push(await startSpice(spice))
    await measure(servers)
  } finally {
    for (const { stop } of servers) stop()
  }
}
