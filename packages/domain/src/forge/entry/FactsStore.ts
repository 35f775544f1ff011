import { Context, type Effect } from "effect"
import type { Failures } from "../../sign-in/SignInFailures.ts"
import type { ItemKind } from "../access/items.ts"
import type { SignedLink } from "../automation/artifacts/links.ts"
import type { NamedRepository } from "../code/repositories/grants.ts"
import type { AccessToken } from "../identity/credentials/AccessToken.ts"
import type { SecondFactor } from "../identity/credentials/SecondFactor.ts"
import type { NamedOrganization } from "../identity/organizations/Organization.ts"
import type { FoundTeam } from "../identity/teams/Team.ts"
import type { Named, User } from "../identity/users/User.ts"
import type { Account, AccountRelation, NamedAccountFacts } from "../identity/visibility/Account.ts"
import type { FoundOwner } from "../registries/packages/owner.ts"
import type { ItemKeys } from "./items.ts"
import type { Items, LoadedKind } from "./Proof.ts"

/**
 * The names in a request that identify a resource within a repository: owner, repository, and the keys of the resource.
 */
type ItemTargets = { readonly [K in ItemKind]: RepositoryName & { readonly keys: ItemKeys[K] } }

/**
 * The loaded data of a resource within a repository: the repository, and the resource, or undefined if it is missing.
 */
type FoundItems = { readonly [K in ItemKind]: NamedRepository & { readonly item: Items[K] | undefined } }

/** The names in a request that identify its resource, by resource type. */
export interface Targets extends ItemTargets {
  readonly site: Record<never, never>
  readonly user: { readonly name: string }
  readonly organization: { readonly organization: string; readonly named?: string | undefined }
  readonly organizationUser: { readonly organization: string; readonly name: string }
  readonly team: { readonly id: number } & AccountName
  readonly teamRepository: { readonly id: number } & RepositoryName
  readonly repository: (RepositoryName | { readonly id: number }) & AccountName
  readonly packageOwner: { readonly owner: string }
  /** The verified content of a signed link in the request; undefined if the signature is invalid or expired. */
  readonly signedLink: { readonly opens: SignedLink | undefined }
}

interface RepositoryName {
  readonly owner: string
  readonly repository: string
}

/** The name of an account that a request contains in addition to its resource, such as a collaborator to add. */
interface AccountName {
  readonly named?: string | undefined
}

/** The resource of a request: its type, and the names that identify it. */
export type Target<K extends LoadedKind = LoadedKind> = { [Kind in K]: { readonly kind: Kind } & Targets[Kind] }[K]

/** The data loaded for the resource of a request, by resource type. Permission facts are computed from this data. */
export interface LoadedResources extends FoundItems {
  readonly site: Record<never, never>
  readonly user: Account & AccountRelation
  readonly organization: NamedOrganization
  /** The organization and the user; each is undefined if it does not exist. */
  readonly organizationUser: {
    readonly organization: NamedOrganization | undefined
    readonly user: (Named & AccountRelation) | undefined
  }
  readonly team: FoundTeam & NamedAccountFacts
  /** The team and the repository; each is undefined if it does not exist. */
  readonly teamRepository: {
    readonly team: FoundTeam | undefined
    readonly repository: NamedRepository | undefined
  }
  readonly repository: NamedRepository
  readonly packageOwner: FoundOwner
  readonly signedLink: Record<never, never>
}

/** The key for the database lookup of the caller, from the credential of the request. */
export type CallerKey =
  | { readonly _tag: "Nobody" }
  | { readonly _tag: "TokenHash"; readonly hash: string }
  | { readonly _tag: "Name"; readonly name: string }
  /** A sign-in with a user name or a confirmed email address, with the keys by which failed sign-ins are counted. */
  | { readonly _tag: "SignInName"; readonly name: string; readonly failureKeys: ReadonlyArray<string> }

/** The query for all data that an access decision needs: the caller, the user to impersonate, and the resource. */
export interface FactsQuery<K extends LoadedKind> {
  readonly caller: CallerKey
  /** The name of the user that the caller, an administrator, impersonates (`sudo`). */
  readonly sudo: string | undefined
  readonly about: Target<K>
}

/** The data of the caller, loaded from the database. */
export interface FoundCaller {
  readonly user: User
  /** The access token of the request, even if expired; undefined if the caller uses another credential. */
  readonly token: AccessToken | undefined
  /** The hash of the user's password; only loaded for a sign-in by name. */
  readonly passwordHash: string | null
  /** The user's confirmed second factor; only loaded for a sign-in by name. */
  readonly secondFactor: SecondFactor | undefined
}

/** The data that an access decision needs, loaded from the database. */
export interface LoadedFacts<K extends LoadedKind> {
  readonly caller: FoundCaller | undefined
  readonly failures: ReadonlyArray<Failures>
  readonly sudo: User | undefined
  readonly found: LoadedResources[K] | undefined
}

/**
 * Loads all data that an access decision on a request needs, in one query (two for restricted callers). It makes no
 * decision.
 *
 * Must:
 * - find the caller and the token by the hash of the token
 * - find the caller by name, with the password hash, the second factor and the failed sign-ins
 * - find the caller only by a confirmed email address
 * - find an impersonated user only by the current name
 * - find the user of a request, also by old names
 * - report to restricted callers whether they share an organization or a repository with a limited account
 * - report whether the actor and the user of a request block each other
 * - find an organization under a user path, with the membership of the actor
 * - find the organization of a request, also by old names, with the membership of the actor
 * - find an organization and a user, each if it exists
 * - find the team of a request, with the membership of the actor
 * - find the repository of a request, also by old names of it and its owner, with the grants of the actor
 * - report whether the owner of a repository blocks the actor
 * - report whether a user named with a team or repository blocks the actor, and whether its owner blocks that user
 * - find a team and a repository, each if it exists
 * - find a resource only within the repository of its path
 * - find the owner of packages, with the grants of the actor
 * - count the grants of the impersonated user
 * - find no caller and no user for unknown names
 */
export class FactsStore extends Context.Service<
  FactsStore,
  { readonly load: <K extends LoadedKind>(query: FactsQuery<K>) => Effect.Effect<LoadedFacts<K>> }
>()("@slipway/domain/forge/FactsStore") {}
