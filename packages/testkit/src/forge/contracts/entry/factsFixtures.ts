import { everyUnit } from "@slipway/domain/forge/access"
import { type RepositoryGrants, RepositoryStore } from "@slipway/domain/forge/code"
import { type CallerKey, FactsStore, type LoadedKind, type Target } from "@slipway/domain/forge/entry"
import { TeamStore, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { newUser, organizationOwner, userOwner } from "../../builders.ts"
import { organization, repository, team, user } from "../base/fixtures.ts"

/** Reads the values that authorize a request about the site. `sudo` is the user to impersonate. */
export const load = (caller: CallerKey, sudo?: string) =>
  Effect.flatMap(FactsStore, (store) => store.load({ caller, sudo, about: { kind: "site" } }))
/** Reads the values that authorize a request of an anonymous caller about a user. */
export const about = (name: string) =>
  Effect.flatMap(FactsStore, (store) =>
    Effect.map(
      store.load({ caller: { _tag: "Nobody" }, sudo: undefined, about: { kind: "user", name } }),
      ({ found }) => found
    )
  )

/** Reads the values that authorize a request about a resource. `sudo` is the user that the caller impersonates. */
export const find = <K extends LoadedKind>(target: Target<K>, name?: string, sudo?: string) =>
  Effect.flatMap(FactsStore, (store) =>
    Effect.map(
      store.load<K>({ caller: name === undefined ? { _tag: "Nobody" } : { _tag: "Name", name }, sudo, about: target }),
      ({ found }) => found
    )
  )

/** Stores users, organizations, teams and repositories with grants, for the tests of authorization. */
export const kingdom = Effect.gen(function* () {
  const [olga, bob, eve] = [
    yield* user(1, { name: "olga" }),
    yield* user(2, { name: "bob" }),
    yield* user(3, { name: "eve" })
  ] as const
  const acme = yield* organization(1, { name: "acme", visibility: "private" })
  const other = yield* organization(2, { name: "other" })
  const owners = yield* team(1, acme, { owners: true, units: everyUnit(3), includesAllRepositories: true }, [olga])
  const builders = yield* team(2, acme, { units: { "repo.code": 2, "repo.packages": 1 } }, [bob])
  const creators = yield* team(3, acme, { units: {}, mayCreateRepositories: true }, [bob])
  const site = yield* repository(1, organizationOwner(acme), { name: "site" })
  const notes = yield* repository(2, userOwner(bob), { name: "notes" })
  yield* (yield* TeamStore).addRepository(builders.id, site.id)
  yield* (yield* RepositoryStore).setCollaborator(notes.id, { userId: eve.id, level: 2 })
  return { olga, bob, eve, acme, other, owners, builders, creators, site, notes }
})

/** The membership of an owner of an organization. */
export const ownerMembership = { member: true, owner: true, mayCreateRepositories: false }
/** The membership of a user who is not an owner but may create repositories. */
export const creatorMembership = { member: true, owner: false, mayCreateRepositories: true }
/** The access that the members of the team `builders` have to its repositories. */
export const builderGrants: RepositoryGrants = {
  membership: { member: true, owner: false },
  collaborator: 0,
  teamAdmin: false,
  teams: { "repo.code": 2, "repo.packages": 1 }
}
/** Returns the data that identifies a caller who signs in with a name. */
export const signIn = (name: string, failureKeys: ReadonlyArray<string> = []): CallerKey => ({
  _tag: "SignInName",
  name,
  failureKeys
})

/** Stores two users. */
export const world = Effect.gen(function* () {
  const users = yield* UserStore
  const one = yield* users.insert(newUser(1, { passwordHash: "hash of one" }))
  const other = yield* users.insert(newUser(2))
  return { users, one, other }
})
