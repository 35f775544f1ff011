export * from "./hasher.ts"
export * from "./layer.ts"
export * from "./settings.ts"
