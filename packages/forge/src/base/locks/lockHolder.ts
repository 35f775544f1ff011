import type { Holder } from "@slipway/domain/forge/automation"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { OrganizationStore, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"

/**
 * Locks the holder of runners, secrets or webhooks until the transaction ends, so that counts behind the lock are
 * exact.
 *
 * The site has no row; the rows of its administrators are locked instead.
 */
export const lockHolder = Effect.fnUntraced(function* ({ organizationId, repositoryId, userId }: Holder) {
  if (repositoryId !== null) yield* (yield* RepositoryStore).lock(repositoryId)
  else if (organizationId !== null) yield* (yield* OrganizationStore).lock(organizationId)
  else if (userId !== null) yield* (yield* UserStore).lock(userId)
  else yield* (yield* UserStore).lockAdministrators
})
