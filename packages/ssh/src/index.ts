export * from "./keys.ts"
