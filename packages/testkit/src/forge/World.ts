import type { Level, Visibility } from "@slipway/access"
import type { ItemKind, ScopeWord, SwitchFacts, TeamVisibility, Unit, Units } from "@slipway/domain/forge/access"
import type { AnyPolicySet } from "@slipway/domain/forge/base"

/** A user of a world (the users, resources and permissions of an access test). */
export interface WorldUser {
  readonly name: string
  readonly visibility: Visibility
  readonly admin: boolean
  readonly restricted: boolean
  readonly secondFactor: boolean
  readonly createsOrganizations: boolean
}

/** An organization of a world (the users, resources and permissions of an access test). */
export interface WorldOrganization {
  readonly name: string
  readonly visibility: Visibility
}

/** A team of a world. `repositories` is `all`, or the names of repositories of the organization. */
export interface WorldTeam {
  readonly organization: string
  readonly name: string
  readonly visibility: TeamVisibility
  readonly units: Units
  readonly owners: boolean
  readonly createsRepositories: boolean
  readonly repositories: "all" | ReadonlyArray<string>
  readonly members: ReadonlyArray<string>
}

/** A repository of a world. */
export interface WorldRepository {
  readonly owner: string
  readonly name: string
  readonly private: boolean
  readonly archived: boolean
  readonly mirror: boolean
  readonly off: ReadonlyArray<Unit>
  readonly collaborators: ReadonlyMap<string, Level>
}

/**
 * A resource within a repository of a world, such as an issue.
 *
 * Each of its facts (values that access rules test) is true for all users, or for one user.
 */
export interface WorldItem {
  readonly kind: ItemKind
  /** The repository, and the key of the resource in it, such as `acme/site#1`. */
  readonly path: string
  readonly facts: ReadonlyMap<string, true | { readonly user: string }>
}

/**
 * The users who have a permission on a protected branch: `*` for all users with write access to the code, or a list of
 * users and teams.
 */
export type WorldPermitted = "*" | ReadonlyArray<string>

/** A branch protection: it applies to the branches of a repository with names that match its rule. */
export interface WorldProtection {
  readonly repository: string
  /** The name of a branch, or a glob. */
  readonly rule: string
  readonly push: WorldPermitted
  readonly force: WorldPermitted
}

/** The value of a field of a custom resource. A flag may also be on for only one user. */
export type OwnFact = boolean | string | number | { readonly user: string }

/** The field values of a custom resource, by field name. */
export type OwnFacts = Readonly<Record<string, OwnFact>>

/** A test world: all users, resources and permissions that decide on access. */
export interface World {
  readonly site: Partial<SwitchFacts>
  readonly users: ReadonlyMap<string, WorldUser>
  readonly organizations: ReadonlyMap<string, WorldOrganization>
  readonly teams: ReadonlyArray<WorldTeam>
  readonly repositories: ReadonlyArray<WorldRepository>
  /** The scopes of access tokens, by user and token name, such as `bob/ci`. */
  readonly tokens: ReadonlyMap<string, ReadonlyArray<ScopeWord>>
  readonly protections: ReadonlyArray<WorldProtection>
  readonly items: ReadonlyArray<WorldItem>
  /** The field values of custom resources, by type and name, such as `printer tray-1`. */
  readonly own?: Readonly<Record<string, OwnFacts>>
  /** The custom access rules, and the time at which they are evaluated. If omitted, the built-in rules apply. */
  readonly rules?: { readonly policy: AnyPolicySet; readonly at: string }
  /** The blocks between users, by their names. */
  readonly blocks: ReadonlyArray<{ readonly blocker: string; readonly blocked: string }>
}

/** A caller: anonymous, a user with a password, or a user with a token of these scopes. */
export interface Asker {
  readonly name: string | undefined
  readonly token: ReadonlyArray<ScopeWord> | undefined
}
