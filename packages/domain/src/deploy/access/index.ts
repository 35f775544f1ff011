export * from "./abilities.ts"
export * from "./rules.ts"
