export * from "./layer.ts"
export { lifetimes } from "./lifetimes.ts"
export * from "./OutsideProvider.ts"
