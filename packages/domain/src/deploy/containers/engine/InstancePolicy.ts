import { Context } from "effect"
import type { HostAccess } from "./options.ts"

/** What the instance lets its applications do; nothing that reaches their servers unless it is said. */
export const InstancePolicy = Context.Reference<HostAccess>("@slipway/domain/deploy/InstancePolicy", {
  defaultValue: () => ({ hostAccess: false })
})
