import { ownedKinds, type Stores } from "@slipway/domain/forge"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { RepositoryStore } from "@slipway/domain/forge/code"
import {
  emails,
  type Organization,
  type OrganizationId,
  OrganizationStore,
  type TeamId,
  TeamStore,
  type UserId,
  UserStore
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { ownedContract } from "../../../owned/contract.ts"
import { organizationOwner } from "../../builders.ts"
import { organization, repository, team, user } from "./fixtures.ts"

const makers: Readonly<Record<string, (n: number) => Effect.Effect<{ readonly id: number }, unknown, Stores>>> = {
  // A new resource contains no rows, except for users, who start with an address.
  user: (n) =>
    Effect.tap(user(n), ({ id }) => Effect.flatMap(emails.store, (store) => store.removeWhere({ userId: id }))),
  organization: (n) => organization(n),
  team: (n) => Effect.flatMap(organization(n), (of: Pick<Organization, "id">) => team(n, of)),
  repository: (n) => Effect.flatMap(organization(n), (of) => repository(n, organizationOwner(of)))
}

const removers: Readonly<Record<string, (id: number) => Effect.Effect<unknown, unknown, Stores>>> = {
  user: (id) => Effect.flatMap(UserStore, (store) => store.remove(id as UserId)),
  organization: (id) => Effect.flatMap(OrganizationStore, (store) => store.remove(id as OrganizationId)),
  team: (id) => Effect.flatMap(TeamStore, (store) => store.remove(id as TeamId)),
  repository: (id) => Effect.flatMap(RepositoryStore, (store) => store.remove(id as RepositoryId))
}

const unknownKind = (kind: string) => Effect.die(new Error(`nothing makes or removes a ${kind}`))

/**
 * Contract tests of the stores of owned resource types (types with generated stores). Each requirement is tested for
 * each type that it applies to.
 */
export const owned: Contract<Stores> = ownedContract<Stores>(ownedKinds, {
  make: (kind, n) => Effect.map(makers[kind]?.(n) ?? unknownKind(kind), ({ id }) => id),
  remove: (kind, id) => removers[kind]?.(id) ?? unknownKind(kind)
})
