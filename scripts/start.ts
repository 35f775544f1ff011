/** Runs both services as two processes; stops with both, and stops both when one ends by itself. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

// The services' own pages of help are read only when help is asked for: a start waits for nothing that it doesn't need.
const help = async () => {
  const [deploy, forge] = await Promise.all([import("../apps/deploy/src/help.ts"), import("../apps/forge/src/help.ts")])
  return `usage: npm start
       npm run start:forge
       npm run start:deploy

Starts the code hosting service and the deployment platform, each a process of its own, until Ctrl-C.
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

const main = async (root: string): Promise<number> => {
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

  let stopping: NodeJS.Signals | undefined
  let firstFailure: number | undefined
  const children: Array<ChildProcess> = []
  const stop = (signal: NodeJS.Signals) => {
    if (stopping !== undefined) return
    stopping = signal
    for (const child of children) child.kill(signal)
    setTimeout(() => {
      for (const child of children) child.kill("SIGKILL")
    }, timeout).unref()
  }

  const ended = mains.map(
    ({ environment, flags, main, name }) =>
      new Promise<void>((resolve) => {
        const child = spawn(process.execPath, [...flags, main], {
          env: { ...process.env, ...environment },
          stdio: ["ignore", "inherit", "inherit"]
        })
        children.push(child)
        const over = (code: number, how: string) => {
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
        child.on("error", (error) => over(1, error.message))
        child.on("exit", (code, signal) => over(code ?? 1, signal ?? `exit code ${code}`))
      })
  )

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop(signal))
  process.on("exit", () => {
    for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL")
  })
  await Promise.all(ended)
  return firstFailure ?? 0
}

if (process.argv.includes("--help") || process.argv.includes("-h")) process.stdout.write(await help())
else process.exitCode = await main(join(import.meta.dirname, ".."))
