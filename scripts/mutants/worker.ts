/**
 * Tries mutants one at a time, as its parent sends them.
 *
 * Modules that import the changed one are loaded again under another address, so that nothing is written and
 * other modules stay loaded. The tests run on the unchanged sources first.
 */
import { readFileSync } from "node:fs"
import { registerHooks, stripTypeScriptTypes } from "node:module"
import { dirname } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { checked, examplesOf } from "../vitest/examples.ts"

/** The first message of the parent: test files, and sources with executable examples. */
export interface Start {
  readonly tests: ReadonlyArray<string>
  readonly sources: ReadonlyArray<string>
}

/** A message with a mutant: a file and its changed text. */
export interface Mutant {
  readonly file: string
  readonly code: string
}

/** The answer: the name of the failing test, or undefined. */
export interface Verdict {
  readonly failed: string | undefined
}

const stripped = new Map<string, string>()
const textOf = (url: URL): string => {
  const file = fileURLToPath(url)
  const line = Number(url.searchParams.get("doctest"))
  const key = `${file}:${line}`
  const known = stripped.get(key)
  if (known !== undefined) return known
  const source = readFileSync(file, "utf8")
  const example = examplesOf(file, source).find((each) => each.line === line)
  const text = stripTypeScriptTypes(example === undefined ? source : checked(key, example.code))
  stripped.set(key, text)
  return text
}

const importers = new Map<string, Set<string>>()
const suiteUrl = new URL("./suite.ts", import.meta.url).href
let turn = 0
let mutated: Mutant = { file: "", code: "" }
let reached: ReadonlySet<string> = new Set()

/** Returns the address of a module without the suffix of its mutant. */
const plain = (address: string) => {
  const url = new URL(address)
  url.searchParams.delete("turn")
  return url.href
}
const inTurn = (address: string) => `${address}${address.includes("?") ? "&" : "?"}turn=${turn}`

registerHooks({
  resolve(specifier, context, next) {
    const parent = context.parentURL
    if (specifier === "vitest" && parent !== suiteUrl) return { url: suiteUrl, shortCircuit: true }
    const resolved = next(specifier, context)
    if (parent === undefined || !resolved.url.startsWith("file:") || resolved.url.includes("/node_modules/"))
      return resolved
    if (turn === 0) {
      const known = importers.get(resolved.url) ?? new Set()
      importers.set(resolved.url, known.add(plain(parent)))
      return resolved
    }
    return reached.has(resolved.url) && parent.includes("turn=")
      ? { ...resolved, url: inTurn(resolved.url), shortCircuit: true }
      : resolved
  },
  load(address, context, next) {
    if (!/[?&](?:turn|doctest)=/.test(address)) return next(address, context)
    const url = new URL(address)
    const isMutated = url.searchParams.get("doctest") === null && fileURLToPath(url) === mutated.file
    const source = isMutated && turn > 0 ? stripTypeScriptTypes(mutated.code) : textOf(url)
    return { format: "module", source, shortCircuit: true }
  }
})

const { collected, collectFrom } = (await import(suiteUrl)) as typeof import("./suite.ts")

/** Returns all modules that import a module, directly or not. */
const reaching = (url: string): ReadonlySet<string> => {
  const all = new Set([url])
  for (const each of all) for (const importer of importers.get(each) ?? []) all.add(importer)
  return all
}

/** Runs the tests of one file until one fails, and returns its name. */
const failureIn = async (address: string): Promise<string | undefined> => {
  collectFrom(dirname(fileURLToPath(address)))
  try {
    await import(turn === 0 ? address : inTurn(address))
  } catch (error) {
    return `loading ${address}: ${error}`
  }
  for (const { name, run } of collected()) {
    try {
      await run()
    } catch (error) {
      return turn === 0 ? `${name}: ${error}` : name
    }
  }
  return undefined
}

let order: ReadonlyArray<string> = []

const start = async ({ sources, tests }: Start): Promise<void> => {
  const examples = sources.flatMap((file) =>
    examplesOf(file, readFileSync(file, "utf8")).map(({ line }) => `${pathToFileURL(file).href}?doctest=${line}`)
  )
  const timed: Array<readonly [string, number]> = []
  for (const address of [...examples, ...tests.map((file) => pathToFileURL(file).href)]) {
    const before = performance.now()
    const failed = await failureIn(address)
    if (failed !== undefined) throw new Error(`the sources as they are fail: ${failed}`)
    timed.push([address, performance.now() - before])
  }
  order = timed.sort(([, a], [, b]) => a - b).map(([address]) => address)
}

const attempt = async (mutant: Mutant): Promise<Verdict> => {
  turn += 1
  mutated = mutant
  reached = reaching(pathToFileURL(mutant.file).href)
  for (const address of order) {
    if (!reached.has(address) && !address.startsWith(`${pathToFileURL(mutant.file).href}?`)) continue
    const failed = await failureIn(address)
    if (failed !== undefined) return { failed }
  }
  return { failed: undefined }
}

process.on("message", async (message: Start | Mutant) => {
  if ("tests" in message) {
    await start(message)
    process.send?.({ failed: undefined })
  } else process.send?.(await attempt(message))
})
