export * from "./commonPasswords.ts"
export * from "./layer.ts"
export * from "./oneTimeCodes.ts"
