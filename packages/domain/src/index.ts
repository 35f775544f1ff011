export * from "./Transaction.ts"
