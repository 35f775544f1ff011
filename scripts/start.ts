/** Runs both services, each as one process or as several; stops with them, and stops all when one ends by itself. */
import { type ChildProcess, spawn } from "node:child_process"
import cluster from "node:cluster"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"

// The services' own pages of help are read only when help is asked for: a start waits for nothing that it doesn't need.
const help = async () => {
  const [deploy, forge] = await Promise.all([import("../apps/deploy/src/help.ts"), import("../apps/forge/src/help.ts")])
  return `usage: npm start [-- --processes <number>]
       npm run start:forge
       npm run start:deploy

Starts the code hosting service and the deployment platform, each a process of its own, until Ctrl-C. With --processes there
are so many of each on one port, on a PostgreSQL server; one that is killed is started anew.
Settings come from the environment; docs/ has them, and here they are in short.

  SLIPWAY_PROFILE  how Node runs them: small, for little memory, or server, for many requests: small

${deploy.help}
${forge.help}`
}

/** The services `npm start` runs, by the name of their folder in apps/. */
const services = ["forge", "deploy"] as const

/** How long a service may take to end after it was asked to, in milliseconds. */
const timeout = 30_000

/** What `npm run start:<name>` gives to Node: settings of its environment, its flags, the service's main file. */
interface Start {
  readonly environment: Readonly<Record<string, string>>
  readonly flags: ReadonlyArray<string>
  readonly main: string
}

/** The flags of the profile that the operator has chosen, as the scripts read them too. */
const profileOf = (root: string): string =>
  readFileSync(join(root, "scripts", "profiles", process.env.SLIPWAY_PROFILE || "small"), "utf8").trim()

const startOf = (root: string, name: string): Start => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  // `exec` makes the shell that npm starts become Node, so that a signal to npm reaches it; here there is no shell.
  const [settings, line] = scripts[`start:${name}`].split(/(?<=^| )exec node /)
  const command = line.replace(/\$\(.*?\)/, profileOf(root))
  const words: ReadonlyArray<string> = command.split(" ")
  return {
    environment: Object.fromEntries(
      settings.split(" ").flatMap((word: string) => (word === "" ? [] : [word.split("=")]))
    ),
    flags: words.slice(0, -1),
    main: join(root, words.at(-1) ?? "")
  }
}

/** Starts a service; several processes of one share its port, which this process holds for them. */
const launch = ({ environment, flags, main }: Start, isShared: boolean): ChildProcess => {
  if (!isShared) {
    const env = { ...process.env, ...environment }
    return spawn(process.execPath, [...flags, main], { env, stdio: ["ignore", "inherit", "inherit"] })
  }
  cluster.setupPrimary({ exec: main, execArgv: [...flags], args: [], stdio: ["ignore", "inherit", "inherit", "ipc"] })
  return cluster.fork(environment).process
}

/** Says why a service can't be several processes. */
const whyAlone = (name: string): string | undefined => {
  const variable = (end: string) => `${name.toUpperCase()}_${end}`
  const address = process.env[variable("DATABASE_URL")] || process.env.DATABASE_URL || ""
  if (!/^postgres(?:ql)?:/i.test(address)) {
    return `they share a PostgreSQL server: set ${variable("DATABASE_URL")} to its address`
  }
  // The one port that is free would be that of both services.
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
    process.stderr.write(`several processes can't be started: ${problem}\n`)
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

  const run = (name: string, start: Start): Promise<void> =>
    new Promise((resolve) => {
      const child = launch(start, processes > 1)
      children.add(child)
      const over = (code: number, signal: NodeJS.Signals | null, how: string) => {
        if (!children.delete(child)) return
        // What ends by a code has said why, and would do so again.
        if (stopping === undefined && processes > 1 && signal !== null) {
          process.stderr.write(`a process of ${name} ended by itself (${how}), and is started anew\n`)
          return resolve(run(name, start))
        }
        if (stopping === undefined) {
          process.stderr.write(`${name} ended by itself (${how}), stopping the other service\n`)
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
  const ended = mains.flatMap(({ name, ...start }) => Array.from({ length: processes }, () => run(name, start)))

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop(signal))
  process.on("exit", () => {
    for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL")
  })
  await Promise.all(ended)
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
