export * from "./appTokens.ts"
export * from "./hostedRepositories.ts"
export * from "./paths.ts"
export * from "./sources.ts"
