import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { blocksOf } from "@slipway/http/testing"
import { run } from "./run.ts"

const root = join(import.meta.dirname, "..", "..")

/** The registry of a test, and the settings of the user who publishes and installs. */
export interface Publisher {
  /** The address of the npm registry, with a slash at its end. */
  readonly registry: string
  readonly token: string
  readonly folder: string
}

/** Returns the blocks of the guide installing.md, with the registry of a test. */
const blocksFor = ({ registry }: Publisher): ReadonlyArray<string> =>
  blocksOf(readFileSync(join(root, "docs/guides/installing.md"), "utf8"))
    .filter(({ attributes }) => attributes.needs === "released-packages")
    .map(({ text }) =>
      text
        .replaceAll("https://forge.example/api/packages/acme/npm/", registry)
        .replaceAll("//forge.example/api/packages/acme/npm/", registry.replace(/^http:/, ""))
    )

const execute = (script: string, directory: string, { folder, token }: Publisher): Promise<string> =>
  run("bash", ["-c", `set -e\n${script}`], directory, { npm_config_userconfig: join(folder, "user.npmrc"), token })

const importing = ["--input-type=module", "--eval", `console.log(typeof (await import("@slipway/access")).defineRules)`]

const expectInstalled = async (project: string): Promise<void> => {
  const output = await run(process.execPath, importing, project)
  if (output.trim() !== "function") throw new Error(`the installed package printed ${output}`)
}

/** Publishes packed packages with the commands of the guide, which skip published versions; returns their output. */
export const publishByGuide = (packed: string, publisher: Publisher): Promise<string> => {
  const [publish = ""] = blocksFor(publisher)
  // The packages are built already.
  return execute(publish.replace("release --", `release -- --packed ${packed}`), root, publisher)
}

/** Installs published packages, and then tarballs, with the commands of the guide. */
export const installByGuide = async (packed: string, publisher: Publisher): Promise<void> => {
  const [, ...blocks] = blocksFor(publisher)
  symlinkSync(packed, join(publisher.folder, "packed"))
  for (const [at, block] of blocks.entries()) {
    const project = join(publisher.folder, `guide-${at}`)
    mkdirSync(project)
    writeFileSync(join(project, "package.json"), "{}")
    await execute(block, project, publisher)
    await expectInstalled(project)
  }
  process.stdout.write(`${blocks.length} blocks of the guide installed the packages\n`)
}
