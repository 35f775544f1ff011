export * from "./contract.ts"
export * from "./secrets.ts"
export * from "./turns.ts"
