export { ProgramVersion } from "../version.ts"
export * from "./layer.ts"
export * from "./PublicUrl.ts"
