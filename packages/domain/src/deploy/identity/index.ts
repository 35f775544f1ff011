export * from "./teams/Team.ts"
export * from "./tokens/Token.ts"
export * from "./tokens/TokenStore.ts"
