// The library's first module warns about every Node release without long-term support; these modules don't.
declare module "oidc-provider/lib/provider.js" {
  export { default as Provider } from "oidc-provider"
}

declare module "oidc-provider/lib/helpers/errors.js" {
  export const InvalidGrant: typeof import("oidc-provider").errors.InvalidGrant
}
