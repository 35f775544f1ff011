export * from "./folders.ts"
export * from "./run.ts"
export * from "./spawn.ts"
