export * from "./egress.ts"
export * from "./forges.ts"
export * from "./hooks.ts"
export * from "./proxy.ts"
