import type { OrganizationWithMembership } from "../organizations/Organization.ts"
import type { Named } from "../users/User.ts"

/** What is found out of an account where it decides: for restricted callers and limited accounts. */
export interface AccountTie {
  /** Whether the account shares an organization or a repository with whoever acts. */
  readonly tied?: boolean
  /** Whether the account, or whoever acts, blocks the other. */
  readonly blocked?: boolean
}

/** Who blocks whom of an account that a request names beside a thing, the owner of the thing and whoever acts. */
export interface NamedBlocks {
  /** Whether the account blocks whoever acts. */
  readonly blocksCaller: boolean
  /** Whether the owner blocks the account. */
  readonly blockedByOwner: boolean
}

/** What is known of a thing beside which a request may name an account, where it names one that is there. */
export interface BesideNamed {
  readonly named?: NamedBlocks | undefined
}

/** The blocks where a request names nobody. */
export const noNamedBlocks: NamedBlocks = { blocksCaller: false, blockedByOwner: false }

/** What a name leads to, where that of an organization stands for a user's too; `of` has it then. */
export interface Account extends Named {
  readonly of?: OrganizationWithMembership | undefined
}
