export * from "./ForgeApi.ts"
export * from "./site.ts"
