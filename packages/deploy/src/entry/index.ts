export * from "./entry.ts"
export * as Explanations from "./explain.ts"
