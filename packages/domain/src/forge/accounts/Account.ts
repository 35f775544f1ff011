import type { OrganizationWithMembership } from "../organizations/Organization.ts"
import type { Named } from "./User.ts"

/** What is found out of an account where it decides: for restricted callers and limited accounts. */
export interface AccountTie {
  /** Whether the account shares an organization or a repository with whoever acts. */
  readonly tied?: boolean
  /** Whether the account, or whoever acts, blocks the other. */
  readonly blocked?: boolean
}

/** What a name leads to, where that of an organization stands for a user's too; `of` has it then. */
export interface Account extends Named {
  readonly of?: OrganizationWithMembership | undefined
}
