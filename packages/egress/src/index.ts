export * from "./egress.ts"
export * from "./proxy.ts"
