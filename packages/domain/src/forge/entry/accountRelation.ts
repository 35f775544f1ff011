import type { User, UserId } from "../identity/users/User.ts"
import type { Account, AccountRelation } from "../identity/visibility/Account.ts"
import type { LoadedResources } from "./FactsStore.ts"
import type { LoadedKind } from "./Proof.ts"

const personIn = (kind: LoadedKind, found: unknown): (Account & AccountRelation) | undefined => {
  if (kind === "user") return found as LoadedResources["user"] | undefined
  return kind === "organizationUser" ? (found as LoadedResources["organizationUser"] | undefined)?.user : undefined
}

/**
 * Returns the id of the requested user if the actor is restricted and the user has `limited` visibility; otherwise
 * undefined. Such a user is visible only if both share an organization or a repository.
 */
export const restrictedAccountOf = (acting: User | undefined, kind: LoadedKind, found: unknown): UserId | undefined => {
  const person = acting?.restricted === true ? personIn(kind, found) : undefined
  return person?.of === undefined && person?.user.visibility === "limited" ? person.user.id : undefined
}

/**
 * Returns the loaded data with `tied` added: whether the requested user and the actor share an organization or a
 * repository.
 */
export const withRelation = <K extends LoadedKind>(
  kind: K,
  found: LoadedResources[K] | undefined,
  tied: boolean
): LoadedResources[K] | undefined => {
  const person = { ...personIn(kind, found), tied }
  // BOUNDARY: each type has its own loaded data, which the compiler cannot follow for any `K`.
  return (kind === "user" ? person : { ...(found as object), user: person }) as LoadedResources[K]
}
