export * from "./checker.ts"
export * from "./siteKey.ts"
