import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { readScenarios, type Scenario } from "@slipway/testkit/access"

const folder = join(import.meta.dirname, "..", "..", "packages", "testkit", "scenarios")

/** The scenarios of the testkit: the specification's rules, and errors of other products. */
export const shippedScenarios: ReadonlyArray<Scenario> = readdirSync(folder).flatMap((file) =>
  readScenarios(file, readFileSync(join(folder, file), "utf8"))
)
