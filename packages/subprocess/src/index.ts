export * from "./folders.ts"
export * from "./run.ts"
