#!/usr/bin/env -S node --conditions=@slipway/source
import { enableCompileCache } from "node:module"

// Later starts use the compiled modules of earlier ones. The call must precede the imports.
enableCompileCache()
const { start } = await import("./start.ts")
// These commands load no service, so that tests of rules start fast.
const { slipway } = await (["access", "mcp"].includes(process.argv[2] ?? "")
  ? import("./accessOnly.ts")
  : import("./slipway.ts"))
start(slipway)
