import type { Holder } from "@slipway/domain/forge/automation"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { OrganizationStore, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"

/**
 * Locks the owner of runners, secrets or webhooks (a repository, organization, user or the site) until the transaction
 * ends, so that their number cannot change concurrently.
 *
 * The site has no database row; the rows of its administrators are locked instead.
 */
export const lockHolder = Effect.fnUntraced(function* ({ organizationId, repositoryId, userId }: Holder) {
  if (repositoryId !== null) yield* (yield* RepositoryStore).lock(repositoryId)
  else if (organizationId !== null) yield* (yield* OrganizationStore).lock(organizationId)
  else if (userId !== null) yield* (yield* UserStore).lock(userId)
  else yield* (yield* UserStore).lockAdministrators
})
