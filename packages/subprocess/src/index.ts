export * from "./folders.ts"
export * from "./Program.ts"
export * from "./run.ts"
export * from "./spawn.ts"
