import { globSync, readFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { join, relative } from "node:path"
import type { Plugin } from "vitest/config"
import { checked, examplesOf } from "./examples.ts"

const listId = "virtual:doctests"
const query = /\?doctest=(\d+)$/

/**
 * Makes documentation examples importable: `virtual:doctests` lists them, and each is a module next to its file.
 *
 * A module, instead of evaluated text, resolves imports as a reader's code would.
 */
export const doctests = ({ include }: { readonly include: string }): Plugin => {
  let root = ""
  const examplesIn = (path: string) => examplesOf(path, readFileSync(join(root, path), "utf8"))
  return {
    name: "slipway:doctests",
    enforce: "pre",
    configResolved(config) {
      root = config.root
    },
    resolveId(id) {
      if (id === listId) return `\0${listId}`
      if (!query.test(id)) return undefined
      // Vite passes a path, or a URL that starts at the root.
      return id.startsWith(`${root}/`) ? id : join(root, id)
    },
    load(id) {
      if (id === `\0${listId}`) {
        const entries = globSync(include, { cwd: root })
          .sort()
          .flatMap((path) =>
            examplesIn(path).map(({ line }) => {
              const module = JSON.stringify(`${join(root, path)}?doctest=${line}`)
              return `{ name: ${JSON.stringify(`${path}:${line}`)}, run: () => import(${module}) }`
            })
          )
        return `export default [${entries.join(",\n")}]`
      }
      const line = query.exec(id)?.[1]
      if (line === undefined) return undefined
      const path = relative(root, id.slice(0, id.indexOf("?")))
      const example = examplesIn(path).find((example) => example.line === Number(line))
      if (example === undefined) return undefined
      const code = checked(`${path}:${line}`, example.code)
      // Vite compiles TypeScript by the name of the file.
      return path.endsWith(".md") ? stripTypeScriptTypes(code) : code
    }
  }
}
