import { Context } from "effect"
import type { HostAccess } from "./options.ts"

/** The host access that the instance grants to its applications; none by default. */
export const InstancePolicy = Context.Reference<HostAccess>("@slipway/domain/deploy/InstancePolicy", {
  defaultValue: () => ({ hostAccess: false })
})
