import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { openChromium } from "@slipway/http/testing"
import { run } from "./run.ts"

/** The programs of other runtimes, as npm packages by the name in the project; those of Linux on x64. */
export const runtimePackages: Readonly<Record<string, string>> =
  process.platform === "linux" && process.arch === "x64"
    ? {
        "deno-program": "npm:@deno/linux-x64-glibc@2.9.6",
        "workerd-program": "npm:@cloudflare/workerd-linux-64@1.20261117.1"
      }
    : {}

/** The types of the library need neither `lib.dom` nor the types of Node. */
const typed = `import { type Decision, defineRules, Facts } from "@slipway/access"
import { Prover } from "@slipway/access/proof"

const rules = defineRules({ owner: Facts.flag("owns it", "does not own it") }, ({ flag }) => ({
  edit: { allow: { owner: { when: flag("owner"), because: "owners edit" } } }
}))
export const decided: Decision = rules.check("edit", { owner: true })
export const prover: typeof Prover = Prover
`

const compilerOptions = {
  module: "nodenext",
  target: "es2023",
  lib: ["es2023"],
  types: [],
  strict: true,
  noEmit: true,
  skipLibCheck: false
}

const workerSettings = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(
    name = "main",
    worker = (modules = [(name = "worker", esModule = embed "bundled-worker.js")], compatibilityDate = "2026-01-01")
  )]
);
`

const expectText = (text: string, expected: string, what: string): void => {
  if (!text.includes(expected)) throw new Error(`${what} printed\n${text}\ninstead of ${expected}`)
}

/**
 * Runs the example of the README outside of Node: with Deno, in a worker of workerd, and in Chromium. `code` is the
 * example, with its expectations. Nothing happens where the programs are not available.
 */
export const tryRuntimes = async (project: string, code: string): Promise<void> => {
  writeFileSync(join(project, "typed.ts"), typed)
  writeFileSync(join(project, "tsconfig.typed.json"), JSON.stringify({ compilerOptions, files: ["typed.ts"] }))
  for (const compiler of ["typescript", "typescript-5"]) {
    await run(process.execPath, [`node_modules/${compiler}/bin/tsc`, "-p", "tsconfig.typed.json"], project)
  }
  if (Object.keys(runtimePackages).length === 0) return
  // Workers and browsers have no modules of Node: a difference throws.
  const expectation = `const expect = (value) => ({
  toEqual: (expected) => {
    if (JSON.stringify(value) !== JSON.stringify(expected)) throw new Error(JSON.stringify([value, expected]))
  }
})`
  const portable = code.replace('import { expect } from "vitest"', expectation)
  writeFileSync(join(project, "portable.js"), `${portable}\nglobalThis.tried = "the example was tried"\n`)
  writeFileSync(join(project, "run.js"), 'import "./portable.js"\nconsole.log(globalThis.tried)\n')
  writeFileSync(
    join(project, "worker.js"),
    'import "./portable.js"\nexport default { test() { console.log(globalThis.tried) } }\n'
  )

  const deno = join(project, "node_modules/deno-program/deno")
  const settings = { DENO_DIR: join(project, ".deno"), DENO_NO_UPDATE_CHECK: "1" }
  const options = ["--node-modules-dir=manual", "--cached-only"]
  expectText(await run(deno, ["run", "--no-prompt", ...options, "run.js"], project, settings), "was tried", "Deno")
  await run(deno, ["check", ...options, "typed.ts"], project, settings)

  const bundle = (file: string, format: string, out: string) =>
    run(
      join(project, "node_modules/.bin/esbuild"),
      [file, "--bundle", "--platform=neutral", `--format=${format}`, `--outfile=${out}`],
      project
    )
  await bundle("worker.js", "esm", "bundled-worker.js")
  writeFileSync(join(project, "worker.capnp"), workerSettings)
  const workerd = join(project, "node_modules/workerd-program/bin/workerd")
  expectText(await run(workerd, ["test", "worker.capnp"], project), "was tried", "workerd")

  await bundle("portable.js", "iife", "bundled-page.js")
  const page = join(project, "page.html")
  writeFileSync(page, '<!doctype html><title>Trial</title><script src="bundled-page.js"></script>')
  const browser = await openChromium(project)
  try {
    await browser.go(pathToFileURL(page).href)
    expectText(String(await browser.evaluate("globalThis.tried")), "was tried", "Chromium")
    if (browser.problems.length > 0) throw new Error(`Chromium reports ${browser.problems.join(", ")}`)
  } finally {
    await browser.end()
  }
  process.stdout.write("the library was tried with Deno, in workerd and in Chromium\n")
}
