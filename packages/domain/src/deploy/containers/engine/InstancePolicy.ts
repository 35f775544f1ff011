import { Context } from "effect"
import type { HostAccess } from "./options.ts"

/** The access to its servers that the operator of the instance allows to applications; none by default. */
export const InstancePolicy = Context.Reference<HostAccess>("@slipway/domain/deploy/InstancePolicy", {
  defaultValue: () => ({ hostAccess: false })
})
