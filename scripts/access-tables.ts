import { writeFile } from "node:fs/promises"
import { accessTables } from "@slipway/domain/forge/access"

await writeFile(new URL("../docs/access-tables.md", import.meta.url), accessTables())
