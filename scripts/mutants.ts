/** Changes the rules one constant at a time, and reports the changes that no test notices. */
import { type ChildProcess, fork } from "node:child_process"
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { groups } from "./mutants/groups.ts"
import { type Mutation, mutationsOf } from "./mutants/mutations.ts"
import type { Verdict } from "./mutants/worker.ts"

/** A change that no test notices, with the reason why that is acceptable. */
interface Survivor {
  readonly file: string
  /** The changed line without indentation; line numbers would move. */
  readonly line: string
  readonly change: string
  readonly reason: string
}

const help = `usage: npm run mutants -- [group…] [options]

  --slice <i>/<n>   only every n-th change, beginning with the i-th (counted from 1)
  --file <part>     only changes of files whose path has this part
  --jobs <n>        how many processes try changes at once (1)
  --killed          also prints the changes that are noticed, and by which test
  --out <file>      writes the changes that nobody noticed and that aren't listed, as JSON

groups: ${Object.keys(groups).join(", ")}

It fails when a change is noticed by no test and not listed in scripts/mutants/survivors.json, or when a listed one is noticed.
`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: "boolean", short: "h", default: false },
    killed: { type: "boolean", default: false },
    slice: { type: "string", default: "1/1" },
    file: { type: "string", default: "" },
    jobs: { type: "string", default: "1" },
    out: { type: "string" }
  }
})

const root = join(import.meta.dirname, "..")
const listFile = join(import.meta.dirname, "mutants", "survivors.json")
const timeout = 60_000
/** Timeout of a start, which runs all tests once, possibly on a busy machine. */
const startTimeout = 600_000
/** Number of changes after which a worker is replaced, because loaded modules are never freed. */
const mostOfOne = 150

type Trial = Mutation & { readonly file: string; readonly code: string }

const matching = (patterns: ReadonlyArray<string>) => globSync([...patterns], { cwd: root }).sort()

const trialsOf = (file: string): ReadonlyArray<Trial> => {
  const source = readFileSync(join(root, file), "utf8")
  return mutationsOf(file, source).map((mutation) => ({
    ...mutation,
    file,
    code: source.slice(0, mutation.start) + mutation.text + source.slice(mutation.end)
  }))
}

const keyOf = ({ change, file, line }: { readonly file: string; readonly line: string; readonly change: string }) =>
  JSON.stringify([file, line, change])

const keyOfTrial = ({ change, file, source }: Trial) => keyOf({ file, line: source, change })

/** Sends a message to a worker and waits for its answer; undefined if it exits or times out. */
const ask = (worker: ChildProcess, message: object, patience = timeout): Promise<Verdict | undefined> =>
  new Promise((resolve) => {
    const done = (verdict: Verdict | undefined) => {
      clearTimeout(timer)
      worker.off("message", done).off("exit", ended)
      resolve(verdict)
    }
    const ended = () => done(undefined)
    const timer = setTimeout(() => done(undefined), patience)
    worker.on("message", done).on("exit", ended)
    worker.send(message)
  })

const started = async (start: object): Promise<ChildProcess> => {
  const worker = fork(join(import.meta.dirname, "mutants", "worker.ts"), {
    execArgv: ["--conditions=@slipway/source", "--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "inherit", "ipc"]
  })
  if ((await ask(worker, start, startTimeout)) !== undefined) return worker
  worker.kill("SIGKILL")
  throw new Error("the tests fail before anything is changed")
}

/** Distributes changes over workers, and returns which test noticed each. */
const tried = async (
  start: object,
  trials: ReadonlyArray<Trial>
): Promise<ReadonlyArray<readonly [Trial, string | undefined]>> => {
  const verdicts: Array<readonly [Trial, string | undefined]> = []
  let worker: ChildProcess | undefined
  for (const [at, trial] of trials.entries()) {
    if (at % mostOfOne === 0) worker?.kill("SIGKILL")
    if (worker === undefined || worker.killed) worker = await started(start)
    const verdict = await ask(worker, { file: join(root, trial.file), code: trial.code })
    if (verdict === undefined) worker.kill("SIGKILL")
    const by = verdict === undefined ? "it never ends" : verdict.failed
    if (by === undefined) process.stdout.write(`survives: ${trial.file}:${trial.line} ${trial.change}\n`)
    verdicts.push([trial, by])
  }
  worker?.kill("SIGKILL")
  return verdicts
}

const main = async (): Promise<number> => {
  const names = positionals.length === 0 ? Object.keys(groups) : positionals
  const [slice = 1, slices = 1] = values.slice.split("/").map(Number)
  const jobs = Number(values.jobs)
  const list = JSON.parse(readFileSync(listFile, "utf8")) as ReadonlyArray<Survivor>
  const listed = new Set(list.map(keyOf))
  const alive = new Map<string, Trial>()
  const seen = new Set<string>()
  let count = 0
  let killed = 0
  for (const name of names) {
    const group = groups[name]
    if (group === undefined) {
      process.stderr.write(`no group is called \`${name}\`\n\n${help}`)
      return 2
    }
    const files = matching(group.sources)
    const changed = files.filter((file) => file.includes(values.file))
    const trials = changed.flatMap(trialsOf).filter((_, at) => at % slices === slice - 1)
    const start = {
      tests: matching(group.tests).map((file) => join(root, file)),
      sources: files.map((file) => join(root, file))
    }
    const shares = Array.from({ length: jobs }, (_, job) => trials.filter((_, at) => at % jobs === job))
    const verdicts = (await Promise.all(shares.map((share) => tried(start, share)))).flat()
    const noticed = verdicts.filter(([, by]) => by !== undefined).length
    process.stdout.write(`${name}: ${noticed} of ${trials.length} changes are noticed\n`)
    count += trials.length
    killed += noticed
    for (const [trial, by] of verdicts) {
      seen.add(keyOfTrial(trial))
      if (by === undefined) alive.set(keyOfTrial(trial), trial)
      else if (values.killed) process.stdout.write(`  ${trial.file}:${trial.line} ${trial.change}: ${by}\n`)
    }
  }
  const unlisted = [...alive].filter(([key]) => !listed.has(key)).map(([, trial]) => trial)
  for (const { change, file, line } of unlisted) process.stdout.write(`not listed: ${file}:${line} ${change}\n`)
  const dead = slices > 1 ? [] : list.filter((each) => seen.has(keyOf(each)) && !alive.has(keyOf(each)))
  for (const { change, file, line } of dead)
    process.stdout.write(`listed, but noticed: ${file} \`${line}\` ${change}\n`)
  const isPart = slices > 1 || positionals.length > 0 || values.file !== ""
  const gone = isPart ? [] : list.filter((each) => !seen.has(keyOf(each)))
  for (const { change, file, line } of gone)
    process.stdout.write(`listed, but not there: ${file} \`${line}\` ${change}\n`)
  if (values.out !== undefined) {
    const entries = unlisted.map(({ change, file, source }) => ({ file, line: source, change, reason: "" }))
    writeFileSync(values.out, `${JSON.stringify(entries, undefined, 2)}\n`)
  }
  process.stdout.write(`${killed} of ${count} changes are noticed, ${alive.size} survive, ${listed.size} are listed\n`)
  return unlisted.length + dead.length + gone.length === 0 ? 0 : 1
}

if (values.help) process.stdout.write(help)
else process.exitCode = await main()
