// Measures the requests of an editor about scenario files of both services with 2,000 lines, in the language server: each after
// the change of one line. Writes no files; exits with code 1 if a 95th percentile is above the limit.

import { type ScenarioFile, scenarioFileOf } from "@slipway/language-server"
import { FileAnalyser } from "@slipway/testkit/access"
import { median } from "./support/numbers.ts"
import { print, printProgress } from "./support/output.ts"

/** The maximum 95th percentile of request durations in milliseconds. */
const limit = 50
const edits = 200
const length = 2_000

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)

/** The lines of a file for each service: a world, and expectations up to the length. */
const filled = (shared: ReadonlyArray<string>, question: (at: number) => string): ReadonlyArray<string> => [
  ...shared,
  ...numbers(length - shared.length).map(question)
]
const forge = filled(
  [
    "organization acme",
    ...numbers(100).map((at) => `user user${at}`),
    ...numbers(100).map((at) => `repository acme/site${at} private`),
    ...numbers(50).map((at) => `team acme/team${at} code=write on site${at} site${at + 50}: user${at}, user${at + 50}`)
  ],
  (at) =>
    at % 50 === 0
      ? `scenario number ${at}`
      : `user${at % 100} repository.contents.change acme/site${at % 100} -> allowed by repository.team`
)
const deploy = filled(
  [
    "project shop",
    "environment shop/production",
    ...numbers(100).map((at) => `user user${at}`),
    ...numbers(100).map((at) => `application shop/production/site${at}`),
    ...numbers(50).map((at) => `grant user${at} developer shop/production/site${at}`)
  ],
  (at) => `user${at % 100} application.update shop/production/site${at % 100} -> allowed by role-edit`
)

const analyser = new FileAnalyser()
const files = [
  { name: "forge", lines: forge, edited: (edit: number) => `user${edit} repository.read acme/site${edit} -> allowed` },
  {
    name: "deploy",
    lines: deploy,
    edited: (edit: number) => `user${edit} application.read shop/production/site${edit} -> allowed`
  }
]
const requests: Readonly<Record<string, (file: ScenarioFile, line: number) => unknown>> = {
  "problems of the file": (file) => file.problems,
  completion: (file, line) => file.completionsAt(line, 20),
  hover: (file, line) => file.hoverAt(line, 20),
  "code lenses": (file) => file.lenses("file:///large.access", []),
  formatting: (file) => file.formatted()
}

const times = new Map<string, Array<number>>()
const timed = <A>(name: string, run: () => A): A => {
  const before = performance.now()
  const result = run()
  times.set(name, [...(times.get(name) ?? []), performance.now() - before])
  return result
}
for (const { edited, lines, name } of files) {
  const text = [...lines]
  for (let edit = 0; edit < edits; edit++) {
    text[length - 1] = `${edited(edit)} # edit ${edit}`
    const file = timed(`${name}: edit of one line`, () => scenarioFileOf(text.join("\n"), analyser))
    for (const [request, run] of Object.entries(requests)) timed(`${name}: ${request}`, () => run(file, length - 1))
  }
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
