import type { Contract } from "../../../contract.ts"
import type { Git } from "./gitFixtures.ts"
import { differences } from "./gitReader/differences.ts"
import { histories } from "./gitReader/histories.ts"
import { objects } from "./gitReader/objects.ts"
import { packs } from "./gitReader/packs.ts"

/** Contract tests of the reader of git repositories. Every implementation must pass them. */
export const gitReader: Contract<Git> = {
  port: "GitReader",
  musts: { ...objects, ...histories, ...differences, ...packs }
}
