/**
 * Builds the extension for Visual Studio Code: the client and the command with the language server, packed as .vsix.
 *
 * It starts the packed language server. `--out <directory>` keeps the package there.
 */
import { spawnSync } from "node:child_process"
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { createVSIX } from "@vscode/vsce"
import { rolldown } from "rolldown"
import { bundleCommand, licences } from "./bundle/command.ts"

const root = join(import.meta.dirname, "..")
const extension = join(root, "packages/vscode")
const { out } = parseArgs({ options: { out: { type: "string" } } }).values

/** Bundles the client, and returns the paths of its modules. */
const bundleClient = async (folder: string): Promise<ReadonlyArray<string>> => {
  const built = await rolldown({
    input: join(extension, "src/extension.ts"),
    platform: "node",
    external: ["vscode"],
    resolve: { conditionNames: ["node", "require", "default"] }
  })
  const { output } = await built.write({ file: join(folder, "dist/extension.cjs"), format: "cjs", minify: true })
  return output.flatMap((each) => (each.type === "chunk" ? Object.keys(each.modules) : []))
}

/** Starts the language server of a packed extension, which answers the first request of an editor. */
const tryServer = (folder: string): void => {
  const messages = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: { processId: null, rootUri: null, capabilities: {} } },
    { jsonrpc: "2.0", id: 2, method: "shutdown" },
    { jsonrpc: "2.0", method: "exit" }
  ].map((message) => JSON.stringify(message))
  const input = messages.map((text) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`).join("")
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [join(folder, "dist/accessMain.js"), "access", "lsp"],
    { input, encoding: "utf8", timeout: 60_000 }
  )
  if (status !== 0 || !stdout.includes('"hoverProvider":true')) {
    throw new Error(`the language server exited with ${status} and wrote\n${stdout}${stderr}`)
  }
}

const temporary = mkdtempSync(join(tmpdir(), "slipway-vscode-"))
try {
  const staged = join(temporary, "staged")
  mkdirSync(staged)
  const {
    devDependencies: _,
    private: __,
    scripts: ___,
    ...manifest
  } = JSON.parse(readFileSync(join(extension, "package.json"), "utf8"))
  writeFileSync(join(staged, "package.json"), JSON.stringify(manifest, undefined, 2))
  for (const name of ["README.md", "language-configuration.json", "syntaxes"]) {
    cpSync(join(extension, name), join(staged, name), { recursive: true })
  }
  copyFileSync(join(root, "LICENSE"), join(staged, "LICENSE"))
  await bundleCommand(staged)
  const modules = await bundleClient(staged)
  const bundled = readFileSync(join(staged, "THIRD-PARTY.md"), "utf8")
  const own = licences(modules).split(/^(?=## )/m)
  const more = own.filter((each) => !bundled.includes(each.split("\n")[0] ?? each))
  writeFileSync(join(staged, "THIRD-PARTY.md"), [bundled, ...more].join("\n"))
  tryServer(staged)
  const packagePath = join(temporary, `${manifest.name}-${manifest.version}.vsix`)
  await createVSIX({ cwd: staged, packagePath, dependencies: false })
  const size = readFileSync(packagePath).byteLength
  if (out !== undefined) {
    const directory = resolve(root, out)
    mkdirSync(directory, { recursive: true })
    copyFileSync(packagePath, join(directory, basename(packagePath)))
  }
  process.stdout.write(`slipway-access: built, packed and tried: ${size} bytes\n`)
} catch (error) {
  process.stderr.write(`slipway-access: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
