export * from "./engine.ts"
export * from "./layer.ts"
