export * from "./paths.ts"
