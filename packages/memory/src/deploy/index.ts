export * from "./compose.ts"
export * from "./engine.ts"
export * from "./layer.ts"
export * from "./proxy.ts"
