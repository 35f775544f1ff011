export * from "./access/actions.ts"
export * from "./access/authorize.ts"
export * from "./access/resources.ts"
export * from "./access/theory.ts"
