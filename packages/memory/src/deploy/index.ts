export * from "./engine.ts"
export * from "./layer.ts"
export * from "./proxy.ts"
export * from "./sources.ts"
