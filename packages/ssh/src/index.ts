export * from "./connections.ts"
export * from "./keys.ts"
