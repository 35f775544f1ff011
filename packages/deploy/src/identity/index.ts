export * as Tokens from "./tokens/Tokens.ts"
