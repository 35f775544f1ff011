/** Runs both services, each as one process or several. Stops all of them on a signal, or when one exits. */
import { type ChildProcess, spawn } from "node:child_process"
import cluster from "node:cluster"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { introduction } from "./introduce.ts"

// Help texts are imported only for --help, so that a start loads nothing that it does not need.
const help = async () => {
  const [deploy, forge] = await Promise.all([import("../apps/deploy/src/help.ts"), import("../apps/forge/src/help.ts")])
  return `usage: npm start [-- --processes <number>]
       npm run start:forge
       npm run start:deploy

Starts the forge and the deployment platform until Ctrl-C. With --processes, that many processes of each share one port; this
needs a PostgreSQL server. A killed process is restarted.
With FORGE_ADMIN_PASSWORD, the first start connects both services (docs/guides/push-to-live.md).
Settings are environment variables; docs/reference/settings.md lists them.

  SLIPWAY_PROFILE  V8 flags: small saves memory, server needs less CPU: small

${deploy.help}
${forge.help}`
}

/** The services of `npm start`, by the name of their folder in apps/. */
const services = ["forge", "deploy"] as const

/** Timeout of a service's shutdown, in milliseconds. */
const timeout = 30_000

/**
 * Variables of a profile. In `server`, code is compiled again at each start: with a cache, Node keeps a copy of 20 MB
 * in memory.
 */
const variablesOf = (profile: string): Readonly<Record<string, string>> =>
  profile === "server" ? { NODE_DISABLE_COMPILE_CACHE: "1" } : {}

/** The command of `npm run start:<name>`: environment, Node flags, main file. */
interface Start {
  readonly environment: Readonly<Record<string, string>>
  readonly flags: ReadonlyArray<string>
  readonly main: string
}

/** Returns the Node flags of the selected profile. */
const profileOf = (root: string): string =>
  readFileSync(join(root, "scripts", "profiles", process.env.SLIPWAY_PROFILE || "small"), "utf8").trim()

const startOf = (root: string, name: string): Start => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  // `exec` replaces npm's shell with Node, so that signals reach it; here is no shell.
  const [settings, line] = scripts[`start:${name}`].split(/(?<=^| )exec node /)
  const command = line.replace(/\$\(.*?\)/, profileOf(root))
  const words: ReadonlyArray<string> = command.split(" ")
  return {
    environment: {
      ...Object.fromEntries(settings.split(" ").flatMap((word: string) => (word === "" ? [] : [word.split("=")]))),
      ...variablesOf(process.env.SLIPWAY_PROFILE || "small")
    },
    flags: words.slice(0, -1),
    main: join(root, words.at(-1) ?? "")
  }
}

/** Starts a service. Several processes of one share its port, which this process holds. */
const launch = ({ environment, flags, main }: Start, isShared: boolean): ChildProcess => {
  if (!isShared) {
    const env = { ...process.env, ...environment }
    return spawn(process.execPath, [...flags, main], { env, stdio: ["ignore", "inherit", "inherit"] })
  }
  cluster.setupPrimary({ exec: main, execArgv: [...flags], args: [], stdio: ["ignore", "inherit", "inherit", "ipc"] })
  return cluster.fork(environment).process
}

/** Returns why a service cannot run as several processes, or undefined. */
const whyAlone = (name: string): string | undefined => {
  const variable = (end: string) => `${name.toUpperCase()}_${end}`
  const address = process.env[variable("DATABASE_URL")] || process.env.DATABASE_URL || ""
  if (!/^postgres(?:ql)?:/i.test(address)) {
    return `they share a PostgreSQL server: set ${variable("DATABASE_URL")} to its address`
  }
  // Both services would share the one free port.
  return process.env[variable("PORT")] === "0" ? `they share a port: set ${variable("PORT")} to it` : undefined
}

const main = async (root: string, processes: number): Promise<number> => {
  const profiles = readdirSync(join(root, "scripts", "profiles")).sort()
  if (!profiles.includes(process.env.SLIPWAY_PROFILE || "small")) {
    process.stderr.write(`cannot start: \`SLIPWAY_PROFILE\` must be ${profiles.join(" or ")}\n`)
    return 1
  }
  const mains = services.map((name) => ({ name, ...startOf(root, name) }))
  const missing = mains.filter(({ main }) => !existsSync(main))
  if (missing.length > 0) {
    process.stderr.write(`cannot start: ${missing.map(({ main }) => main).join(" and ")} not found\n`)
    return 1
  }

  const problem = processes === 1 ? undefined : services.map(whyAlone).find((why) => why !== undefined)
  if (problem !== undefined) {
    process.stderr.write(`cannot start several processes: ${problem}\n`)
    return 1
  }

  let stopping: NodeJS.Signals | undefined
  let firstFailure: number | undefined
  const children = new Set<ChildProcess>()
  const stop = (signal: NodeJS.Signals) => {
    if (stopping !== undefined) return
    stopping = signal
    for (const child of children) child.kill(signal)
    setTimeout(() => {
      for (const child of children) child.kill("SIGKILL")
    }, timeout).unref()
  }

  const introduced = introduction(process.env, process.cwd())

  const run = (name: string, start: Start): Promise<void> =>
    new Promise((resolve) => {
      const child = launch(start, processes > 1)
      children.add(child)
      const over = (code: number, signal: NodeJS.Signals | null, how: string) => {
        if (!children.delete(child)) return
        // A process that exits with a code has logged the reason, and would fail again.
        if (stopping === undefined && processes > 1 && signal !== null) {
          process.stderr.write(`a process of ${name} exited (${how}) and is restarted\n`)
          return resolve(run(name, start))
        }
        if (stopping === undefined) {
          process.stderr.write(`${name} exited (${how}), stopping the other service\n`)
          firstFailure = code
          stop("SIGTERM")
        } else if (code !== 0 && firstFailure === undefined) {
          process.stderr.write(`${name} did not stop cleanly (${how})\n`)
          firstFailure = code
        }
        resolve()
      }
      child.on("error", (error) => over(1, null, error.message))
      child.on("exit", (code, signal) => over(code ?? 1, signal, signal ?? `exit code ${code}`))
    })
  const ended = mains.flatMap(({ name, ...start }) => {
    const environment = { ...start.environment, ...introduced?.settings[name] }
    return Array.from({ length: processes }, () => run(name, { ...start, environment }))
  })
  const stopped = new AbortController()
  const connecting = introduced?.run(stopped.signal).then(
    (line) => line === undefined || process.stdout.write(`\nSlipway deploy is ${line}\n`),
    (error: Error) => process.stderr.write(`Slipway deploy is not connected to the forge: ${error.message}\n`)
  )

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop(signal))
  process.on("exit", () => {
    for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL")
  })
  await Promise.all(ended)
  stopped.abort()
  await connecting
  return firstFailure ?? 0
}

const { values } = parseArgs({
  options: { help: { type: "boolean", short: "h" }, processes: { type: "string", default: "1" } }
})
const processes = Number(values.processes)
if (values.help) process.stdout.write(await help())
else if (!Number.isInteger(processes) || processes < 1 || processes > 64) {
  process.stderr.write("--processes must be a whole number from 1 to 64\n")
  process.exitCode = 1
} else process.exitCode = await main(join(import.meta.dirname, ".."), processes)
