import type { Scenario } from "../support.ts"
import { organizationLifecycle } from "./organizationLifecycle.ts"
import { organizationMembers } from "./organizationMembers.ts"
import { organizationResources } from "./resources.ts"

/** Tests of the use cases for organizations, their members, labels and avatars. */
export const organizations: Scenario = {
  port: "organizations",
  musts: { ...organizationLifecycle, ...organizationMembers, ...organizationResources }
}
