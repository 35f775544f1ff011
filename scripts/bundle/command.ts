import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"

const root = join(import.meta.dirname, "../..")

/** Returns the licence texts of bundled packages, by the paths of their modules. */
export const licences = (modules: ReadonlyArray<string>): string => {
  const folders = new Set(
    modules.flatMap((module) => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1] ?? [])
  )
  return [...folders]
    .sort()
    .map((folder) => {
      const { license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
      const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
      const text = file === undefined ? String(license) : readFileSync(join(folder, file), "utf8").trim()
      return `## ${name} ${version}\n\n${text}\n`
    })
    .join("\n")
}

const explorer = "packages/http/src/server/forge/explanation/explorer"

/** Makes the explorer read its files next to the bundle. */
const explorerFiles = {
  name: "slipway:explorer-files",
  transform(code: string, id: string): string | undefined {
    if (id !== join(root, explorer, "routes.ts")) return undefined
    const inPackage = "`../../../../../src/server/forge/explanation/explorer/"
    if (!code.includes(inPackage))
      throw new Error(`${id} reads its files from another place: change ${import.meta.filename}`)
    return code.replace(inPackage, "`./explorer/")
  }
}

/** Bundles the command for access rules into `dist` of a folder, and returns the bytes that every start loads. */
export const bundleCommand = async (folder: string): Promise<number> => {
  const built = await rolldown({
    input: join(root, "apps/cli/src/accessMain.ts"),
    platform: "node",
    resolve: { conditionNames: ["@slipway/source", "node", "import", "default"] },
    plugins: [explorerFiles]
  })
  const { output } = await built.write({ dir: join(folder, "dist"), format: "es", minify: true })
  const chunks = output.flatMap((each) => (each.type === "chunk" ? [each] : []))
  const names = new Set(chunks.map(({ fileName }) => fileName))
  const foreign = chunks.flatMap(({ dynamicImports, imports }) =>
    [...imports, ...dynamicImports].filter((name) => !names.has(name) && !name.startsWith("node:"))
  )
  if (foreign.length > 0) throw new Error(`the bundle imports ${foreign.join(", ")}`)
  const files = readdirSync(join(root, explorer)).filter((name) => !name.endsWith(".ts"))
  mkdirSync(join(folder, "dist/explorer"))
  for (const name of files) copyFileSync(join(root, explorer, name), join(folder, "dist/explorer", name))
  writeFileSync(join(folder, "THIRD-PARTY.md"), licences(chunks.flatMap(({ modules }) => Object.keys(modules))))
  const started = new Set<string>()
  const visit = (name: string): void => {
    const chunk = chunks.find(({ fileName }) => fileName === name)
    if (chunk === undefined || started.has(name)) return
    started.add(name)
    for (const each of chunk.imports) visit(each)
  }
  for (const { dynamicImports, fileName, isEntry } of chunks) {
    if (isEntry) for (const each of [fileName, ...dynamicImports]) visit(each)
  }
  return chunks.reduce((sum, { code, fileName }) => sum + (started.has(fileName) ? Buffer.byteLength(code) : 0), 0)
}
