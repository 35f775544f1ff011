export * from "./objects.ts"
export * from "./repositories.ts"
