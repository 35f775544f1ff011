import { type Organization, ServiceError, type User } from "@slipway/client/forge"
import type { Visit } from "../../page/Page.ts"

/** The API operations that `readOwner` uses. */
export const ownerOperations = ["organization.read", "user.read"] as const

/** Reads a user or an organization by its name. If the viewer may not see it, fails as if it did not exist. */
export const readOwner = async ({ forge }: Visit, name: string): Promise<Organization | User> => {
  const organization = await forge.organization.read({ params: { org: name } }).result()
  if (organization.ok) return organization.value
  if (!(organization.error instanceof ServiceError) || organization.error.status !== 404) throw organization.error
  return forge.user.read({ params: { username: name } })
}
