import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { type Asset, addressOf, assetOf } from "@slipway/web/foundation"

const { resolve } = createRequire(import.meta.url)

/** Reads a module of a package, without the reference to a source map that is not served. */
const moduleText = (name: string): string =>
  readFileSync(resolve(name), "utf8").replace(/\n?\/\/# sourceMappingURL=.*\s*$/, "\n")

/** Reads a file from this folder of the sources, also if the program runs from `dist`. */
const sourceText = (name: string): string => readFileSync(new URL(`../../src/assets/${name}`, import.meta.url), "utf8")

const textAsset = (name: string, ending: "css" | "js", text: string): Asset => assetOf(name, ending, Buffer.from(text))

/** The script and the stylesheet of the terminal page, and the modules of xterm.js that the script imports. */
interface TerminalAssets {
  readonly script: Asset
  readonly style: Asset
  readonly modules: ReadonlyArray<Asset>
}

let read: TerminalAssets | undefined

/** Returns the assets of the terminal page. They are read at the first use, because few processes need them. */
export const terminalAssets = (): TerminalAssets => {
  if (read !== undefined) return read
  const xterm = textAsset("xterm", "js", moduleText("@xterm/xterm/lib/xterm.mjs"))
  const fit = textAsset("xterm-fit", "js", moduleText("@xterm/addon-fit/lib/addon-fit.mjs"))
  const script = sourceText("terminal.js")
    .replace('"@xterm/xterm"', JSON.stringify(addressOf(xterm)))
    .replace('"@xterm/addon-fit"', JSON.stringify(addressOf(fit)))
  read = {
    script: textAsset("terminal", "js", script),
    style: textAsset("terminal", "css", moduleText("@xterm/xterm/css/xterm.css") + sourceText("terminal.css")),
    modules: [xterm, fit]
  }
  return read
}

/** Returns the asset of the terminal page with a path; undefined if there is none. */
export const terminalAssetAt = (path: string): Asset | undefined => {
  if (!/^\/assets\/(?:terminal|xterm)/.test(path)) return undefined
  const { modules, script, style } = terminalAssets()
  return [script, style, ...modules].find((asset) => asset.path === path)
}
