export * from "./layer.ts"
export { lifetimes } from "./lifetimes.ts"
