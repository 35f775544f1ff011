// The library's first module warns of every release of Node that isn't of long-term support; these are behind it.
declare module "oidc-provider/lib/provider.js" {
  export { default as Provider } from "oidc-provider"
}

declare module "oidc-provider/lib/helpers/errors.js" {
  export const InvalidGrant: typeof import("oidc-provider").errors.InvalidGrant
}
