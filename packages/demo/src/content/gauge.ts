import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { DemoRepository } from "./Commit.ts"

const readme = (version: string) => `# Gauge

Gauge collects water levels from river sensors and warns before a river leaves its bed.

![Levels of the last week](docs/levels.png)

## Quick start

\`\`\`sh
npm install
npm start -- --port 8080
curl -d '{"station":"gota-3","level":1.42}' http://localhost:8080/readings
\`\`\`

## Packages

| folder | purpose |
|---|---|
| [\`src/readings\`](src/readings) | decodes and stores readings |
| [\`src/alerts\`](src/alerts) | rules, and the recipients of warnings |
| [\`docs\`](docs) | guides for operators |

> [!NOTE]
> Version ${version} reads the frames of all stations sold since 2021.

Report a problem in the [issues](../../issues), and read [how to contribute](CONTRIBUTING.md) first.
`

/** A chart as PNG. The forge does not display SVG, because it could contain scripts. */
const levels = readFileSync(join(import.meta.dirname, "levels.png"))

const reading = (checked: boolean) => `/** A water level, measured by a station. */
export interface Reading {
  readonly station: string
  /** In metres above the station's zero. */
  readonly level: number
  readonly time: Date
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null

/** Decodes a reading; throws with the name of the field that is wrong. */
export const decodeReading = (value: unknown, now: Date): Reading => {
  if (!isRecord(value)) throw new TypeError("a reading must be an object")
  const { level, station, time = now } = value
  if (typeof station !== "string") throw new TypeError("\`station\` must be a string")
${checked ? '  if (typeof level !== "number" || !Number.isFinite(level)) throw new TypeError("`level` must be a number")\n' : '  if (typeof level !== "number") throw new TypeError("`level` must be a number")\n'}  return { station, level, time: new Date(time as string) }
}
`

const rules = (window: number) => `import type { Reading } from "../readings/reading.ts"

/** A rule that raises an alert. */
export interface Rule {
  readonly station: string
  readonly above: number
  /** The number of readings in a row that must be above the limit. */
  readonly inARow: number
}

export const defaults = { inARow: ${window} }

/** Returns the rules that the latest readings of a station break. */
export const broken = (rules: ReadonlyArray<Rule>, readings: ReadonlyArray<Reading>): ReadonlyArray<Rule> =>
  rules.filter(({ above, inARow }) => {
    const last = readings.slice(-inARow)
    return last.length === inARow && last.every(({ level }) => level > above)
  })
`

const server = (health: boolean) => `import { createServer } from "node:http"
import { decodeReading } from "./readings/reading.ts"
import { store } from "./readings/store.ts"

const port = Number(process.env.PORT ?? 8080)

createServer(async (request, response) => {
  const pieces: Array<Uint8Array> = []
  for await (const piece of request) pieces.push(piece)
${health ? '  if (request.url === "/healthz") return response.end("ok")\n' : ""}  if (request.method !== "POST" || request.url !== "/readings") return response.writeHead(404).end()
  try {
    const reading = decodeReading(JSON.parse(Buffer.concat(pieces).toString()), new Date())
    await store.append(reading)
    response.writeHead(201).end()
  } catch (error) {
    response.writeHead(422).end(String(error))
  }
}).listen(port)
`

const store = `import { appendFile } from "node:fs/promises"
import type { Reading } from "./reading.ts"

const file = process.env.READINGS ?? "readings.jsonl"

/** Appends readings to a file, one JSON object per line. */
export const store = {
  append: (reading: Reading) => appendFile(file, \`\${JSON.stringify(reading)}\\n\`)
}
`

const ci = `name: CI
on:
  push: { branches: [main] }
  pull_request:
jobs:
  check:
    runs-on: linux
    steps:
      - name: Check out
        run: git checkout
      - name: Lint
        run: npm run lint
  test:
    needs: check
    runs-on: linux
    strategy: { matrix: { node: [24, 26] } }
    steps:
      - name: Install
        run: npm ci
      - name: Test
        run: npm test
`

const release = `name: Release
on:
  workflow_dispatch:
    inputs:
      version: { description: The version to publish, required: true, type: string }
      channel: { description: Where it goes, type: choice, options: [beta, stable], default: beta }
      notify: { description: Notify the operators, type: boolean, default: true }
jobs:
  publish:
    runs-on: linux
    steps: [{ name: Publish, run: npm publish }]
`

const stations = `station,river,town,zero,sold
gota-1,Göta älv,Trollhättan,38.2,2021
gota-3,Göta älv,Lilla Edet,6.9,2022
elbe-7,Elbe,Wittenberg,62.4,2022
avon-2,Avon,Bath,14.1,2023
turia-4,Turia,Manises,44.0,2024
`

const operators = `# For operators

1. Set \`PORT\` and \`READINGS\`.
2. Start the service; it answers \`/healthz\`.
3. Back up the file of readings every night.

- [x] Rotate the file of readings
- [ ] Move alerts to their own process

| signal | meaning |
|---|---|
| \`201\` | the reading is stored |
| \`422\` | the frame is broken; the body says which field |
`

const ignored = "node_modules\nreadings.jsonl\n"

const manifest = (version: string) =>
  `${JSON.stringify({ name: "@brightwater/gauge", version, type: "module", license: "MIT", scripts: { start: "node src/server.ts", test: "node --test" } }, null, 2)}\n`

const licence = `MIT License

Copyright (c) 2025 Brightwater

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`

/** The repository of the main product, with most of the demo world's content. */
export const gauge: DemoRepository = {
  owner: "brightwater",
  name: "gauge",
  description: "Collects water levels from river sensors, and warns in time",
  topics: ["typescript", "sensors", "rivers"],
  commits: [
    {
      by: "mara",
      message: "Start the measuring service",
      files: { "README.md": readme("0.1"), LICENSE: licence, ".gitignore": ignored, "package.json": manifest("0.1.0") }
    },
    { by: "jonas", message: "Decode readings", files: { "src/readings/reading.ts": reading(false) } },
    { by: "jonas", message: "Store readings in a file", files: { "src/readings/store.ts": store } },
    { by: "jonas", message: "Answer POST /readings", files: { "src/server.ts": server(false) } },
    { by: "aiko", message: "Draw the levels of a week", files: { "docs/levels.png": levels } },
    { by: "lucia", message: "Write a guide for operators", files: { "docs/operators.md": operators } },
    { by: "jonas", message: "Raise alerts by rules", files: { "src/alerts/rules.ts": rules(1) } },
    { by: "tunde", message: "Add the list of stations", files: { "docs/stations.csv": stations } },
    {
      by: "lucia",
      message: "Say how to contribute",
      files: {
        "CONTRIBUTING.md": "# Contributing\n\nOpen an issue first. Keep a pull request to one change.\n",
        ".gitea/ISSUE_TEMPLATE/bug.md":
          "---\nname: Bug report\nabout: Something is wrong\ntitle: ''\nlabels: [bug]\n---\n\n**What happens**\n\n**What should happen**\n"
      }
    },
    { by: "tunde", message: "Check every change", files: { ".gitea/workflows/ci.yml": ci } },
    {
      by: "mara",
      message: "Set the version to 1.0.0",
      files: { "package.json": manifest("1.0.0"), "README.md": readme("1.0") }
    },
    {
      by: "tunde",
      message: "Answer /healthz\n\nThe load balancer asks every ten seconds.",
      files: { "src/server.ts": server(true) }
    },
    {
      by: "jonas",
      message: "Raise an alert only after three readings in a row\n\nA single wave raised 14 alerts in March.",
      files: { "src/alerts/rules.ts": rules(3) }
    },
    { by: "tunde", message: "Publish by a workflow", files: { ".gitea/workflows/release.yml": release } },
    {
      by: "mara",
      message: "Set the version to 1.1.0",
      files: { "package.json": manifest("1.1.0"), "README.md": readme("1.1") }
    }
  ]
}

/** The contents of files that the demo pull requests change. */
export const gaugeFiles = { checkedReading: reading(true), rules, stations, operators }
