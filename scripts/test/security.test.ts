import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

const root = join(import.meta.dirname, "..", "..")
const text = (path: string) => readFileSync(join(root, path), "utf8")

/** The guarantees of docs/explanation/security.md with their test files. */
const promises = text("docs/explanation/security.md")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| guarantee "))
  .map((line) => {
    const [promise = "", where = ""] = line.slice(2).split(" | ")
    return { promise, files: [...where.matchAll(/`([^`]+\/[^`]+)`/g)].map(([, path = ""]) => path) }
  })

test("each guarantee of docs/explanation/security.md names existing tests", () => {
  expect(promises.length).toBeGreaterThan(25)
  for (const { files, promise } of promises) {
    expect(files.length, promise).toBeGreaterThan(0)
    expect(
      files.filter((file) => !existsSync(join(root, file)) || !/\.ts$/.test(file)),
      promise
    ).toEqual([])
  }
})

test("an invariant of a guarantee is named by one of its tests", () => {
  const unnamed = promises.flatMap(({ files, promise }) =>
    [...promise.matchAll(/\bI\d+\b/g)]
      .map(([invariant]) => invariant)
      .filter((invariant) => !files.some((file) => new RegExp(`\\b${invariant}\\b`).test(text(file))))
      .map((invariant) => `${invariant}: ${promise}`)
  )
  expect(unnamed).toEqual([])
})
