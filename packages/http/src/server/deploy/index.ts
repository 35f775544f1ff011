export * from "./layer.ts"
export { ProgramVersion } from "./settings.ts"
