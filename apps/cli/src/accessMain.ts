#!/usr/bin/env node
import * as modules from "node:module"

// The published command runs on Node 20 as well, which has no compile cache.
modules.enableCompileCache?.()
const { start } = await import("./start.ts")
const { slipway } = await import("./accessOnly.ts")
start(slipway)
