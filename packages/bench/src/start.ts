// Measures how long a service takes from its start to its first answer, and the memory of both on the embedded default
// after a load. Writes no files; exits with code 1 when a limit is exceeded. Linux only. `command` measures the starts of the
// published command instead.

import { commandTimes } from "./start/command.ts"
import { loadDeploy, loadForge, type Rates, requests } from "./start/load.ts"
import { flagsOf, memoryOf, type Service, services, start, withDirectory } from "./start/service.ts"
import { median } from "./support/numbers.ts"
import { print, printProgress } from "./support/output.ts"

const starts = 7
const turns = 3
/** The limits: the time to the first response in milliseconds, and the memory of both services in megabytes. */
const limits = { memory: 2000, "new directory": 5000, "old directory": 2000, together: 700, command: 300 }

const names = Object.keys(services) as ReadonlyArray<Service>
let exceeded = false
const held = (value: number, limit: number) => {
  if (!(value <= limit)) exceeded = true
  return value
}

const timesOf = async (service: Service) => {
  const flags = flagsOf("small")
  const times = {
    memory: [] as Array<number>,
    "new directory": [] as Array<number>,
    "old directory": [] as Array<number>
  }
  const startOnce = async (directory: string, database: string) => {
    const { milliseconds, process } = await start(service, directory, database, flags)
    await process.stop()
    return milliseconds
  }
  for (let turn = 0; turn < starts; turn++) {
    printProgress(`starting ${service}: ${turn} of ${starts} turns`)
    await withDirectory(async (directory) => {
      times.memory.push(await startOnce(directory, "memory:"))
      times["new directory"].push(await startOnce(directory, "file:data"))
      times["old directory"].push(await startOnce(directory, "file:data"))
    })
  }
  return times
}

const variants: Readonly<Record<string, ReadonlyArray<string>>> = {
  "Node's own settings": [],
  "`small`": flagsOf("small"),
  "`server`": flagsOf("server")
}

interface Weighed extends Rates {
  readonly started: number
  readonly loaded: number
  readonly peak: number
}

const weigh = (flags: ReadonlyArray<string>): Promise<Weighed> =>
  withDirectory(async (directory) => {
    const [forge, deploy] = await Promise.all([
      start("forge", directory, "file:data", flags),
      start("deploy", directory, "file:data", flags)
    ])
    const both = () => [memoryOf(forge), memoryOf(deploy)] as const
    const sum = (of: "now" | "peak") => both()[0][of] + both()[1][of]
    const started = sum("now")
    // One after the other: the rates are those of a service on an otherwise idle machine.
    await loadForge(forge.base)
    const rates = await loadDeploy(deploy.base)
    const weighed = { ...rates, started, loaded: sum("now"), peak: sum("peak") }
    await Promise.all([forge.process.stop(), deploy.process.stop()])
    return weighed
  })

const seconds = (times: ReadonlyArray<number>) =>
  `${(median(times) / 1000).toFixed(2)} s (${(Math.max(...times) / 1000).toFixed(2)})`

const measureServices = async () => {
  print(`First response after the start: median of ${starts} (the slowest)\n`)
  print("| | `memory:` | new embedded directory | old embedded directory |")
  print("|---|---:|---:|---:|")
  for (const name of names) {
    const times = await timesOf(name)
    for (const kind of ["memory", "new directory", "old directory"] as const) held(median(times[kind]), limits[kind])
    print(
      `| ${name} | ${seconds(times.memory)} | ${seconds(times["new directory"])} | ${seconds(times["old directory"])} |`
    )
  }

  const results = Object.keys(variants).map((name) => ({ name, weighed: [] as Array<Weighed> }))
  for (let turn = 0; turn < turns; turn++) {
    for (const result of results) {
      printProgress(`loading both services: ${turn} of ${turns} turns, ${result.name}`)
      result.weighed.push(await weigh(variants[result.name] ?? []))
    }
  }
  const count = requests.creates + requests.reads + requests.pages + requests.lists + 3000
  print(
    `\nBoth services on new embedded directories, ${count.toLocaleString("en")} requests: medians of ${turns} turns\n`
  )
  print("| | started | after load | at the most | creates/s | reads/s | pages of 100/s | lists of all/s |")
  print("|---|---:|---:|---:|---:|---:|---:|---:|")
  for (const { name, weighed } of results) {
    const of = (key: keyof Weighed) => median(weighed.map((each) => each[key]))
    if (name === "`small`") held(Math.max(...weighed.map(({ peak }) => peak)), limits.together)
    const memory = (["started", "loaded", "peak"] as const).map((key) => `${Math.round(of(key))} MB`)
    const rates = (["creates", "reads", "pages"] as const).map((key) => Math.round(of(key)).toLocaleString("en"))
    print(`| ${name} | ${memory.join(" | ")} | ${rates.join(" | ")} | ${of("lists").toFixed(1)} |`)
  }
}

const measureCommand = () => {
  const starts = 20
  print(`Starts of the published command: median of ${starts} (the slowest)\n`)
  print("| | time |")
  print("|---|---:|")
  for (const { median, name, slowest } of commandTimes(starts)) {
    print(`| ${name} | ${Math.round(held(median, limits.command))} ms (${Math.round(slowest)}) |`)
  }
}

if (process.argv.includes("command")) measureCommand()
else await measureServices()

if (exceeded) {
  printProgress(`above the limits: ${JSON.stringify(limits)} (milliseconds, megabytes)`)
  process.exitCode = 1
}
