import type { Contract } from "../../../contract.ts"
import type { Git } from "./gitFixtures.ts"
import { differences } from "./gitReader/differences.ts"
import { histories } from "./gitReader/histories.ts"
import { objects } from "./gitReader/objects.ts"
import { packs } from "./gitReader/packs.ts"

/** The contract of the reader of git repositories. */
export const gitReader: Contract<Git> = {
  port: "GitReader",
  musts: { ...objects, ...histories, ...differences, ...packs }
}
