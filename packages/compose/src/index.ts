export * from "./reader.ts"
