export * from "./layer.ts"
export * from "./oneTimeCodes.ts"
export * from "./passwords.ts"
