export * from "./abilities.ts"
export * from "./capabilities.ts"
export * from "./rules.ts"
