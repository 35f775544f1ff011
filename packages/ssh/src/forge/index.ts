export * from "./commands.ts"
export * from "./hostKey.ts"
export * from "./publicKeys.ts"
export * from "./server.ts"
