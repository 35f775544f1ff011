export * from "./Condition.ts"
