import type { Level, Visibility } from "@slipway/access"
import type { ItemKind, ScopeWord, SwitchFacts, TeamVisibility, Unit, Units } from "@slipway/domain/forge/access"
import type { AnyPolicySet } from "@slipway/domain/forge/base"

/** A user of a world. */
export interface WorldUser {
  readonly name: string
  readonly visibility: Visibility
  readonly admin: boolean
  readonly restricted: boolean
  readonly secondFactor: boolean
  readonly createsOrganizations: boolean
}

/** An organization of a world. */
export interface WorldOrganization {
  readonly name: string
  readonly visibility: Visibility
}

/** A team of a world; `repositories` is every one of the organization or a list of names below it. */
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
 * A resource within a repository of a world, such as an issue. Each of its facts is true for all users or for one user.
 */
export interface WorldItem {
  readonly kind: ItemKind
  /** The repository and the key of the resource there, as in `acme/site#1`. */
  readonly path: string
  readonly facts: ReadonlyMap<string, true | { readonly user: string }>
}

/**
 * The users with permission on a protected branch, among those who can write the code: all, or some users and teams.
 */
export type WorldPermitted = "*" | ReadonlyArray<string>

/** A protection of the branches of a repository with names that match its rule. */
export interface WorldProtection {
  readonly repository: string
  /** The name of a branch, or a glob. */
  readonly rule: string
  readonly push: WorldPermitted
  readonly force: WorldPermitted
}

/** A fact of a custom resource; a flag can be on for one user only. */
export type OwnFact = boolean | string | number | { readonly user: string }

/** The facts of a custom resource. */
export type OwnFacts = Readonly<Record<string, OwnFact>>

/** All facts that decide on access, each stated once. */
export interface World {
  readonly site: Partial<SwitchFacts>
  readonly users: ReadonlyMap<string, WorldUser>
  readonly organizations: ReadonlyMap<string, WorldOrganization>
  readonly teams: ReadonlyArray<WorldTeam>
  readonly repositories: ReadonlyArray<WorldRepository>
  /** The scopes of the tokens of users, by user and token name, as in `bob/ci`. */
  readonly tokens: ReadonlyMap<string, ReadonlyArray<ScopeWord>>
  readonly protections: ReadonlyArray<WorldProtection>
  readonly items: ReadonlyArray<WorldItem>
  /** The facts of custom resources, by type and name, as in `printer tray-1`. */
  readonly own?: Readonly<Record<string, OwnFacts>>
  /** The custom rules, and the time of the decision; the library's rules by default. */
  readonly rules?: { readonly policy: AnyPolicySet; readonly at: string }
  /** The blocks between users, by their names. */
  readonly blocks: ReadonlyArray<{ readonly blocker: string; readonly blocked: string }>
}

/** A caller: anonymous, or a user with a password or with a token of these scopes. */
export interface Asker {
  readonly name: string | undefined
  readonly token: ReadonlyArray<ScopeWord> | undefined
}
