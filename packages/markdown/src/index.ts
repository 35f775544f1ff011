export * from "./layer.ts"
