/** Replaces Vitest for mutation tests: collects the tests of a file for a caller to run. */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { assert, chai, expect } from "vitest"

type Body = (...args: ReadonlyArray<unknown>) => unknown

/** One collected test. */
export interface Collected {
  readonly name: string
  readonly run: () => unknown
}

let tests: Array<Collected> = []
let folder = "."

/** Starts collecting the tests of another file; snapshots are read from its folder. */
export const collectFrom = (of: string): void => {
  tests = []
  folder = of
}

/** Returns the collected tests. */
export const collected = (): ReadonlyArray<Collected> => tests

const bodyOf = (args: ReadonlyArray<unknown>) => args.find((each) => typeof each === "function") as Body
const context = { signal: new AbortController().signal, onTestFinished: () => {} }

const register = (name: string, ...args: ReadonlyArray<unknown>): void => {
  const body = bodyOf(args)
  tests.push({ name, run: () => body(context) })
}

const forEach =
  (spread: boolean, of: (name: string, body: Body) => void) =>
  (cases: ReadonlyArray<unknown>) =>
  (name: string, ...args: ReadonlyArray<unknown>): void => {
    const body = bodyOf(args)
    for (const each of cases) of(name, () => (spread && Array.isArray(each) ? body(...each) : body(each, context)))
  }

const methods = (of: (name: string, ...args: ReadonlyArray<unknown>) => void) =>
  Object.assign(of, { each: forEach(true, of), for: forEach(false, of) })

const unsupported = () => {
  throw new Error("mutants are not tried on tests that are left out or need hooks")
}

const suite = (_: string, ...args: ReadonlyArray<unknown>): void => {
  bodyOf(args)()
}

chai.util.addMethod(chai.Assertion.prototype, "toMatchFileSnapshot", function (this: object, path: string) {
  expect(chai.util.flag(this, "object")).toBe(readFileSync(resolve(folder, path), "utf8"))
})

export const it = Object.assign(methods(register), {
  skip: unsupported,
  only: unsupported,
  fails: unsupported,
  skipIf: (condition: boolean) => (condition ? unsupported : register),
  runIf: (condition: boolean) => (condition ? register : unsupported)
})
export const test = it
export const describe = methods(suite)
export const [beforeAll, afterAll, beforeEach, afterEach] = [unsupported, unsupported, unsupported, unsupported]
export const TestRunner = { getCurrentSuite: unsupported }
export { assert, expect }
