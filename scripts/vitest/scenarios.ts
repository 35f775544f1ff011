import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { readScenarios, type Scenario } from "@slipway/testkit/access"

const folder = join(import.meta.dirname, "..", "..", "packages", "testkit", "scenarios")

/** The testkit's scenario files of the forge. */
export const shippedFiles: ReadonlyArray<{ readonly file: string; readonly text: string }> = readdirSync(folder)
  .filter((file) => file !== "deploy.access")
  .map((file) => ({ file, text: readFileSync(join(folder, file), "utf8") }))

/** The testkit's scenarios of the forge: the specification's rules, and errors of other products. */
export const shippedScenarios: ReadonlyArray<Scenario> = shippedFiles.flatMap(({ file, text }) =>
  readScenarios(file, text)
)
