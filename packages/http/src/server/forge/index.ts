export { ProgramVersion } from "../version.ts"
export { gitRoutes } from "./git/routes.ts"
export * from "./layer.ts"
export * from "./PublicUrl.ts"
