import { ManifestReader, ManifestRefused } from "@slipway/domain/deploy/runtime"
import { Effect, Layer } from "effect"

/**
 * Returns the notes of a JSON text that is formatted with line breaks: the line of each key and list entry, and the
 * numbers and booleans as they are written.
 */
const notesOf = (value: unknown, text: string) => {
  const lines = new Map<string, number>()
  const texts = new Map<string, string>()
  const rows = text.split("\n")
  let row = 0
  const visit = (inner: unknown, path: string): void => {
    if (typeof inner !== "object" || inner === null) return
    for (const [key, each] of Object.entries(inner)) {
      const isNext = (line: string) =>
        Array.isArray(inner) ? line.includes(JSON.stringify(each)) : line.includes(`${JSON.stringify(key)}:`)
      while (row < rows.length && !isNext(rows[row] ?? "")) row++
      const at = path === "" ? key : `${path}.${key}`
      lines.set(at, row + 1)
      if (typeof each === "number" || typeof each === "boolean") texts.set(at, String(each))
      visit(each, at)
    }
  }
  visit(value, "")
  return { lines, texts }
}

/**
 * Reads manifests (files that describe the deployment of a repository). Supports only JSON, which is a subset of YAML.
 */
export const manifestReader: Layer.Layer<ManifestReader> = Layer.succeed(ManifestReader, {
  read: (text) =>
    Effect.suspend(() => {
      try {
        const value: unknown = JSON.parse(text)
        return Effect.succeed({ value, ...notesOf(value, text) })
      } catch {
        return Effect.fail(new ManifestRefused({ line: 1, because: "it is not JSON" }))
      }
    })
})
