import { writeFile } from "node:fs/promises"
import { accessTables } from "@slipway/domain/forge/access"

await writeFile(new URL("../docs/reference/access-tables.md", import.meta.url), accessTables())
