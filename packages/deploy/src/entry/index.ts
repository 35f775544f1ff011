export * from "./entry.ts"
