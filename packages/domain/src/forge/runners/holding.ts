import { Effect } from "effect"
import { UserStore } from "../accounts/UserStore.ts"
import { OrganizationStore } from "../organizations/OrganizationStore.ts"
import { RepositoryStore } from "../repositories/RepositoryStore.ts"
import type { Holder } from "./Reach.ts"

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
