export * from "./layer.ts"
export * from "./registryFile.ts"
