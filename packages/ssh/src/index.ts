export * from "./command.ts"
export * from "./connections.ts"
export * from "./keys.ts"
