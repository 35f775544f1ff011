// Measures the requests of an editor about a scenario file with 2,000 lines, in the language server: each after the change of
// one line. Writes no files; exits with code 1 if a 95th percentile is above the limit.

import { AccessFile, completionsAt, hoverAt, lensesOf } from "@slipway/language-server"
import { FileAnalyser } from "@slipway/testkit/access"
import { median } from "./support/numbers.ts"
import { print, printProgress } from "./support/output.ts"

/** The maximum 95th percentile of request durations in milliseconds. */
const limit = 50
const edits = 200
const length = 2_000

const users = Array.from({ length: 100 }, (_, at) => `user user${at}`)
const repositories = Array.from({ length: 100 }, (_, at) => `repository acme/site${at} private`)
const teams = Array.from(
  { length: 50 },
  (_, at) => `team acme/team${at} code=write on site${at} site${at + 50}: user${at}, user${at + 50}`
)
const shared = ["organization acme", ...users, ...repositories, ...teams]
const questions = Array.from({ length: length - shared.length }, (_, at) =>
  at % 50 === 0
    ? `scenario number ${at}`
    : `user${at % 100} repository.contents.change acme/site${at % 100} -> allowed by repository.team`
)
const lines = [...shared, ...questions]

const analyser = new FileAnalyser()
let file = new AccessFile(lines.join("\n"), analyser)
const at = lines.length - 1
const requests: Readonly<Record<string, () => unknown>> = {
  "problems of the file": () => file.analysis.problems,
  completion: () => completionsAt(file, at, 20),
  hover: () => hoverAt(file, at, 20),
  "code lenses": () => lensesOf(file, "file:///large.access", [])
}

const times = new Map(["edit of one line", ...Object.keys(requests)].map((name) => [name, [] as Array<number>]))
const timed = (name: string, run: () => unknown) => {
  const before = performance.now()
  run()
  times.get(name)?.push(performance.now() - before)
}
for (let edit = 0; edit < edits; edit++) {
  lines[at] = `user${edit} repository.read acme/site${edit} -> allowed # edit ${edit}`
  const text = lines.join("\n")
  timed("edit of one line", () => {
    file = new AccessFile(text, analyser)
  })
  for (const [name, run] of Object.entries(requests)) timed(name, run)
}

print(`Requests about a file with ${length.toLocaleString("en")} lines: ${edits} edits\n`)
print("| | median | 95th percentile |")
print("|---|---:|---:|")
/** Returns the 95th percentile. The maximum would be unreliable, because other processes delay single requests. */
const high = (each: ReadonlyArray<number>) =>
  each.toSorted((one, other) => one - other)[Math.floor(each.length * 0.95)] ?? 0
for (const [name, each] of times) print(`| ${name} | ${median(each).toFixed(1)} ms | ${high(each).toFixed(1)} ms |`)
const slowest = Math.max(...[...times.values()].map(high))
if (!(slowest <= limit)) {
  printProgress(`above the limit of ${limit} ms: ${slowest.toFixed(1)} ms`)
  process.exitCode = 1
}
