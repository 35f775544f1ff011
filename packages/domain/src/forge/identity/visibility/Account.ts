import type { OrganizationWithMembership } from "../organizations/Organization.ts"
import type { Named } from "../users/User.ts"

/**
 * The relations between an account and the actor. They are loaded only if the actor is restricted or the account has
 * limited visibility.
 */
export interface AccountRelation {
  /** Whether the account shares an organization or a repository with the actor. */
  readonly tied?: boolean
  /** Whether the account blocks the actor, or the actor blocks the account. */
  readonly blocked?: boolean
}

/** The blocks of an account that a request contains in addition to its resource, such as a collaborator to add. */
export interface NamedBlocks {
  /** Whether the account blocks the actor. */
  readonly blocksCaller: boolean
  /** Whether the owner blocks the account. */
  readonly blockedByOwner: boolean
}

/**
 * The facts about the account that a request contains in addition to its resource; undefined if there is no such
 * account.
 */
export interface NamedAccountFacts {
  readonly named?: NamedBlocks | undefined
}

/** The value of `NamedBlocks` for a request without an additional account: no block exists. */
export const noNamedBlocks: NamedBlocks = { blocksCaller: false, blockedByOwner: false }

/** A user found by name. If the name belongs to an organization, `of` contains it. */
export interface Account extends Named {
  readonly of?: OrganizationWithMembership | undefined
}
