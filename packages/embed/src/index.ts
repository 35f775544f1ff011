export * from "./createForge.ts"
export type { From, Handler } from "./handler.ts"
export type { UserOf } from "./listener.ts"
export { ForgeError, type Method, type Methods, type Outcome } from "./methods.ts"
