import type { Holder } from "@slipway/domain/forge/automation"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { OrganizationStore, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"

/**
 * Keeps what has runners, secrets or webhooks as it is until the running transaction ends: who counts these behind this lock counts alone.
 *
 * The site has no row of its own; those of its administrators stand for it.
 */
export const lockHolder = Effect.fnUntraced(function* ({ organizationId, repositoryId, userId }: Holder) {
  if (repositoryId !== null) yield* (yield* RepositoryStore).lock(repositoryId)
  else if (organizationId !== null) yield* (yield* OrganizationStore).lock(organizationId)
  else if (userId !== null) yield* (yield* UserStore).lock(userId)
  else yield* (yield* UserStore).lockAdministrators
})
