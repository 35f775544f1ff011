export * as AccessPreview from "./effective-access/AccessPreview.ts"
export * as EffectiveAccesses from "./effective-access/EffectiveAccesses.ts"
export * from "./explain/AccessExplained.ts"
