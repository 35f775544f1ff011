import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { generated } from "./markdown.ts"

/** The folder of benchmark results, one file for each benchmark. */
export const resultFolder = join(import.meta.dirname, "../../docs/reference/benchmarks")

/** A run of a benchmark, as `npm run bench` stores it. */
export interface BenchmarkResult {
  readonly command: string
  /** The day of the run, YYYY-MM-DD. */
  readonly date: string
  readonly environment: string
  readonly exitCode: number
  /** Markdown tables that the benchmark printed, as lines. */
  readonly tables: ReadonlyArray<ReadonlyArray<string>>
}

/** The description of each benchmark, in the order of the page. */
const benchmarks: Readonly<Record<string, string>> = {
  http: "CPU time of a request, compared with a minimal Node server that sends the same SQL statements; and throughput. Fails above 1.67 times the CPU time for a resource and twice for a list. The number after the name of a row is the number of SQL statements of the request. A cell with several figures has them in the order of its heading.",
  "http-half":
    "Latency at half of the maximum rate. Fails if the 99th percentile is above five times the median. `client late` is how late the measuring client itself sent a request.",
  access:
    "Access decisions in one world of 200 repositories, compared with other libraries on the same 4,000 questions. Fails if the generic engine has less than 5 times the rate of the fastest other library.",
  "access-servers":
    "The five examples of [Coming from other engines](../guides/coming-from-other-engines.md): 200 users, 200 folders, 2,000 documents, 500 articles and 30 groups, in memory. All servers answer the same requests over HTTP on the loopback interface, and return the same answers; the rules of Slipway run behind a minimal Node server, with lists in SQLite. `times` is the CPU time of the other server, divided by that of Slipway over HTTP. Changes of the data are not measured.",
  editor:
    "Requests of an editor about a scenario file of each service with 2,000 lines, in the language server. Fails if the 95th percentile of a request is above 50 ms.",
  proofs:
    "Statements about all actions and rules of both services, true and false ones. Fails if the proofs of a service take more than 30 s.",
  deploy:
    "Time to create and list applications as the table grows. Fails if the time for the largest table is above 1.5 times the time for the smallest.",
  teams:
    "Team changes and lists in an organization with 10,000 repositories. Fails above the limits in the table. The first column of times is for the small case (a team of ten repositories, or an anonymous reader), the second for the large one.",
  pulls: "A repository with 221 open pull requests, one of which changes 1,000 files.",
  issues:
    "Issue lists and searches. Fails above 1.5 times for ten times the issues, or more than 6 statements. `pages` are the 8 KiB pages that PostgreSQL reads. `most growth` is the largest factor by which the time grows between two neighboring sizes; times below a minimum count as the minimum. `bare limit` is the time of the same SQL without the service, divided by the time of the service.",
  pages:
    "Pages of the web interface, compared with the API requests that each one makes. Fails above 6 statements, 3 git reads, 2.5 times the CPU, or 20 kB of script.",
  "pages-deploy":
    "Pages of the console of the deployment platform, compared with the API requests that each one makes. Fails above 40 statements, 3 times the CPU, or 60 kB of HTML.",
  "git-reading": "Reading a repository of 50,000 commits, compared with git. Fails above twice git's time.",
  "git-serving":
    "Serving the same repository, compared with `git http-backend`. Fails below 0.9 times the throughput of `git http-backend`.",
  programs:
    "CPU time of starting a program with Node and with the fork server, by the memory of the service. Each cell has the whole CPU time and the part that the service itself uses.",
  types:
    "CPU time of the type check of all packages, tests and scripts. Fails above 15 seconds after a change of one line.",
  start: "Start-up time of the services (median and slowest of seven) and their memory under load.",
  "start-command": "Start-up time of the published command, the compile cache filled. Fails above 300 ms.",
  profiles: "CPU time and memory with the two V8 profiles.",
  observability: "CPU time of a request with metrics and traces.",
  processes:
    "Throughput of two processes, compared with one process. Fails below 1.6 times, measured by CPU time. `client µs` is the CPU time of the measuring client. The last column says whether the limit holds.",
  routes:
    "8 KiB pages that PostgreSQL reads for lists: the lists that grow most. Fails above 1.5 times for each tenfold of rows.",
  lists: "8 KiB pages that PostgreSQL reads for lists of use cases.",
  memory:
    "100,000 repositories in memory: heap, resident memory, decisions. Fails above 400 MB or below 100,000 decisions a second. `held` is the heap with the repositories, `before filling` without them.",
  peer: "Reads of the forge and of a Gitea 1.27.3 with the same objects, in turns, 16 connections each; both use PostgreSQL in another process. Memory is that of the service's process, without PostgreSQL and git programs. Fails if a read of git content has less than eight times Gitea's rate, or the forge uses more than 256 MB ten seconds after the load.",
  kills:
    "Issues are created on three processes; one process is killed every four seconds. Fails if an issue is lost or duplicated. `unanswered` requests lost their connection or got 503; some of their issues were stored.",
  webhooks:
    "Webhook deliveries while processes are killed. Fails if one is lost or out of order. `twice` is the number of deliveries that arrived twice. The last columns are the times until all deliveries arrived at receivers that respond, and at receivers that fail at first.",
  soak: "An hour at 70 % load. Fails if memory grows by more than a tenth or a response fails."
}

const resultsIn = (folder: string): ReadonlyMap<string, BenchmarkResult> =>
  new Map(
    globSync("*.json", { cwd: folder })
      .sort()
      .map((file) => [basename(file, ".json"), JSON.parse(readFileSync(join(folder, file), "utf8"))])
  )

const sectionOf = (name: string, result: BenchmarkResult): string => {
  const outcome = result.exitCode === 0 ? "" : ` Exit code ${result.exitCode}: a limit was missed.`
  return [
    `## ${name}`,
    "",
    benchmarks[name] ?? "",
    "",
    `\`${result.command}\`, ${result.date}, ${result.environment}.${outcome}`,
    ...result.tables.flatMap((table) => ["", ...table]),
    ""
  ].join("\n")
}

/** Returns the page of current benchmark results. */
export const performancePage = (folder: string = resultFolder): string => {
  const results = resultsIn(folder)
  const known = Object.keys(benchmarks)
  const names = [...known, ...[...results.keys()].filter((name) => !known.includes(name))]
  const sections = names.flatMap((name) => {
    const result = results.get(name)
    return result === undefined || name.startsWith("routes-") ? [] : [sectionOf(name, result)]
  })
  return `# Performance

This page shows the results of the benchmarks, and the limits above which a benchmark fails.

${generated} \`npm run bench -- <name> --save\` runs a benchmark and stores its tables in \`docs/reference/benchmarks\`.

Compare ratios, not absolute numbers: the speed of similar machines differs by up to four times. The [decisions](../adr/README.md) explain the figures.

| column | meaning |
|---|---|
| \`slipway\` | Slipway |
| \`bare\` | the program that Slipway is compared with, such as a minimal Node server |
| \`times\`, \`ratio\` | the first figure divided by the figure that it is compared with |
| \`wanted\`, \`at most\` | the highest allowed value of \`times\` or \`ratio\` |
| \`p99\` | the 99th percentile |
| \`remembered\`, \`not remembered\` | with and without the cache of the forge |

[Pages read by every list](performance-lists.md) has the figures of all lists.

${sections.join("\n")}`
}

/** Returns the documentation page with the number of database pages that each list reads. */
export const performanceListsPage = (folder: string = resultFolder): string => {
  const sections = [...resultsIn(folder)].flatMap(([name, result]) =>
    name.startsWith("routes-") ? [sectionOf(name, result)] : []
  )
  return `# Pages read by every list

This page shows how many database pages PostgreSQL reads for each list, as the tables grow.

${generated} The lists that grow most come first.

${sections.join("\n")}`
}
