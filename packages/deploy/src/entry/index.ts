export * as Deployers from "./deployers.ts"
export * from "./entry.ts"
export * as Explanations from "./explain.ts"
export * as Subjects from "./subjects.ts"
