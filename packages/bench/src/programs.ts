// Measures the processor time of starting a program, for services of growing memory: by Node, which copies the whole
// service, and by the fork server, in turns. Exits with code 1 when the fork server takes more. Linux only.
import { spawn as spawnByNode } from "node:child_process"
import { readFileSync } from "node:fs"
import { spawn } from "@slipway/subprocess"
import { childrenOf } from "@slipway/subprocess/testing"
import { median } from "./support/numbers.ts"
import { print, printProgress } from "./support/output.ts"

const sizes = [0, 150, 600]
const turns = 7
const starts = 50
const environment = { PATH: "/usr/bin:/bin" }
const [program, args] = ["git", ["--version"]] as const

const ended = (child: Pick<ReturnType<typeof spawn>, "once" | "stderr" | "stdin" | "stdout">) =>
  new Promise<void>((resolve, reject) => {
    child.stdout.resume()
    child.stderr.resume()
    child.stdin.end()
    child.once("error", reject)
    child.once("close", () => resolve())
  })

const ways = {
  node: () => ended(spawnByNode(program, args, { env: environment, stdio: "pipe" })),
  "fork server": () => ended(spawn(program, args, { environment }))
}

/** Returns the processor time in milliseconds of a process and its exited child processes. */
const processorOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
}

const all = () => [process.pid, ...childrenOf(process.pid)].reduce((sum, pid) => sum + processorOf(pid), 0)

interface Taken {
  readonly all: number
  /** The processor time in milliseconds of this process without its child processes. */
  readonly own: number
}

const measured = async (start: () => Promise<void>): Promise<Taken> => {
  const [before, own] = [all(), process.cpuUsage()]
  for (let at = 0; at < starts; at++) await start()
  const { system, user } = process.cpuUsage(own)
  return { all: (all() - before) / starts, own: (system + user) / 1_000 / starts }
}

const held: Array<Buffer> = []
let isSlower = false
print("| memory of the service | Node: CPU ms, in the service | fork server: CPU ms, in the service | times |")
print("|---|---:|---:|---:|")
for (const size of sizes) {
  while (held.length < size) held.push(Buffer.alloc(1024 * 1024, held.length))
  const found: Record<keyof typeof ways, Array<Taken>> = { node: [], "fork server": [] }
  // The fork server is ready after the first ones.
  for (let at = 0; at < starts; at++) await ways["fork server"]()
  for (let turn = 0; turn < turns; turn++) {
    for (const way of ["node", "fork server"] as const) found[way].push(await measured(ways[way]))
  }
  const of = (way: keyof typeof found, part: "all" | "own") => median(found[way].map((each) => each[part]))
  const times = of("node", "all") / of("fork server", "all")
  isSlower ||= times < 1
  const cells = (["node", "fork server"] as const).map(
    (way) => `${of(way, "all").toFixed(1)}, ${of(way, "own").toFixed(1)}`
  )
  print(`| ${Math.round(process.memoryUsage().rss / 1e6)} MB | ${cells.join(" | ")} | ${times.toFixed(1)} |`)
}
if (isSlower) {
  printProgress("the fork server needs more CPU time than Node")
  process.exitCode = 1
}
