export { ProgramVersion } from "../version.ts"
export { deploySession } from "./identity/browser.ts"
export { rootUrlOf, SignInSite, type SignInSiteSettings } from "./identity/SignInSite.ts"
export * from "./layer.ts"
