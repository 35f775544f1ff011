export * from "./command.ts"
export * from "./connections.ts"
export * from "./host.ts"
export * from "./keys.ts"
