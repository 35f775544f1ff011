export * from "./effective-access/EffectiveAccess.ts"
export * from "./effective-access/EffectiveAccessStore.ts"
