export * from "./References.ts"
export * from "./referencesIn.ts"
export * from "./withoutCode.ts"
