export * from "./run.ts"
export * from "./serve.ts"
