export * from "./repositories.ts"
