export * from "./appTokens.ts"
export * from "./sources.ts"
