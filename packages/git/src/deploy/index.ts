export * from "./appTokens.ts"
export * from "./paths.ts"
export * from "./sources.ts"
