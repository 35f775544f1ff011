export * as SiteConfiguration from "./settings/SiteConfiguration.ts"
export * as UserRemoval from "./users/UserRemoval.ts"
