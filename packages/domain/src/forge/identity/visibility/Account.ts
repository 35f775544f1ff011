import type { OrganizationWithMembership } from "../organizations/Organization.ts"
import type { Named } from "../users/User.ts"

/** The facts about an account that are loaded only for restricted callers and limited accounts. */
export interface AccountRelation {
  /** Whether the account shares an organization or a repository with the actor. */
  readonly tied?: boolean
  /** Whether the account or the actor blocks the other. */
  readonly blocked?: boolean
}

/** The blocks between an account that a request names next to a resource, the resource's owner and the actor. */
export interface NamedBlocks {
  /** Whether the account blocks the actor. */
  readonly blocksCaller: boolean
  /** Whether the owner blocks the account. */
  readonly blockedByOwner: boolean
}

/** The facts about a resource when a request names an existing account next to it. */
export interface NamedAccountFacts {
  readonly named?: NamedBlocks | undefined
}

/** The value of `NamedBlocks` for a request that names no account: no block exists. */
export const noNamedBlocks: NamedBlocks = { blocksCaller: false, blockedByOwner: false }

/** The account of a name; for an organization in place of a user, `of` has the organization. */
export interface Account extends Named {
  readonly of?: OrganizationWithMembership | undefined
}
