export { authorityIn } from "./certificates.ts"
export * from "./checker.ts"
export * from "./requests.ts"
export * from "./siteKey.ts"
