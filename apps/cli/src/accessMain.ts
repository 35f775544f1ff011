#!/usr/bin/env node
// Node 20 has no compile cache: an import of its name would fail there.
process.getBuiltinModule("node:module").enableCompileCache?.()
const { start } = await import("./start.ts")
const { slipway } = await import("./accessOnly.ts")
start(slipway)
