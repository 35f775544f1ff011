import { browserOf } from "../../support/browser.ts"
import { rootUrl, type Service } from "./harness.ts"

/** A test browser: keeps cookies, follows redirects within the service, and submits forms. */
export const browse = (api: Pick<Service, "fetch">) => browserOf(api, rootUrl)
