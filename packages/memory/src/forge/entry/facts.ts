import { type ItemKind, itemKinds } from "@slipway/domain/forge/access"
import {
  type CallerKey,
  FactsStore,
  type FoundCaller,
  type ItemKeys,
  type LoadedFacts,
  type LoadedKind,
  type LoadedResources,
  restrictedAccountOf,
  type Target,
  type Targets,
  withRelation
} from "@slipway/domain/forge/entry"
import {
  type AccessToken,
  accessTokens,
  type Failures,
  organizationAsUser,
  type UserId
} from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import type { Snapshot } from "../../Database.ts"
import { ownedRowBy, shownRow } from "../../ownedStore.ts"
import { queriesIn } from "../base/queries.ts"
import { asEmail, Tables } from "../base/tables.ts"
import { peopleIn } from "../identity/people.ts"
import { hasSharedMembership } from "../identity/relations.ts"
import { findItem } from "./items.ts"

type Finders = {
  readonly [K in LoadedKind]: (
    snapshot: Snapshot,
    target: Target<K>,
    acting: UserId | undefined
  ) => LoadedResources[K] | undefined
}

/** Reads from memory the values that authorize a request, such as the permissions of the caller. */
export const factsStore = Layer.effect(
  FactsStore,
  Effect.map(Tables, (tables) => {
    const { database, email, factor, failure, owned, user } = tables

    const tokenOf = (snapshot: Snapshot, hash: string): AccessToken | undefined => {
      const table = owned.get(accessTokens.name)
      const row = table && ownedRowBy(snapshot, table, { hash })
      // BOUNDARY: the rows of a kind are those that its declaration describes.
      return row && (shownRow(accessTokens, row) as unknown as AccessToken)
    }

    const callerOf = (snapshot: Snapshot, key: CallerKey): FoundCaller | undefined => {
      const people = peopleIn(tables, snapshot)
      const nothing = { token: undefined, passwordHash: null, secondFactor: undefined }
      switch (key._tag) {
        case "Nobody":
          return undefined
        case "TokenHash": {
          const found = tokenOf(snapshot, key.hash)
          const holder = found === undefined ? undefined : people.find(found.userId)
          return found === undefined || holder === undefined ? undefined : { ...nothing, user: holder, token: found }
        }
        case "Name": {
          const found = people.named(key.name)
          return found === undefined || found.renamed ? undefined : { ...nothing, user: found.user }
        }
        case "SignInName": {
          const named = people.named(key.name)
          const sought = ownedRowBy(snapshot, email, { address: key.name })
          const address = sought && asEmail(sought)
          const holder =
            named !== undefined && !named.renamed
              ? named.user
              : address?.verified === true
                ? people.find(address.userId)
                : undefined
          if (holder === undefined) return undefined
          const second = factor.find(snapshot, String(holder.id))
          const { id: _, ...secondFactor } = second ?? { id: 0 }
          return {
            user: holder,
            token: undefined,
            passwordHash: user.get(snapshot, holder.id)?.passwordHash ?? null,
            secondFactor: second?.confirmed === true ? (secondFactor as FoundCaller["secondFactor"]) : undefined
          }
        }
      }
    }

    const withRepository =
      <K extends ItemKind>(kind: K) =>
      (snapshot: Snapshot, { keys, owner, repository }: Targets[K], acting: UserId | undefined) => {
        const found = queriesIn(tables, snapshot).repositoryNamed(owner, repository, acting)
        return found && { ...found, item: findItem(tables, snapshot, kind, found.repository.id, keys as ItemKeys[K]) }
      }
    // BOUNDARY: one finder is made for each kind of the list, which the compiler can't follow through `fromEntries`.
    const itemsFound = Object.fromEntries(itemKinds.map((kind) => [kind, withRepository(kind)])) as unknown as Pick<
      Finders,
      ItemKind
    >

    const finders: Finders = {
      ...itemsFound,
      site: () => ({}),
      signedLink: () => ({}),
      user: (snapshot, { name }, acting) => {
        const { blocks, organizationNamed } = queriesIn(tables, snapshot)
        const person = peopleIn(tables, snapshot).named(name)
        if (person !== undefined) {
          const { id } = person.user
          return { ...person, blocked: blocks(id, acting) || (acting !== undefined && blocks(acting, id)) }
        }
        const found = organizationNamed(name, acting)
        return found && { user: organizationAsUser(found.organization), renamed: found.renamed, of: found }
      },
      organization: (snapshot, { organization }, acting) =>
        queriesIn(tables, snapshot).organizationNamed(organization, acting),
      organizationUser: (snapshot, { name, organization }, acting) => ({
        organization: queriesIn(tables, snapshot).organizationNamed(organization, acting),
        user: peopleIn(tables, snapshot).named(name)
      }),
      team: (snapshot, { id, named }, acting) => {
        const { foundTeam, namedBlocks } = queriesIn(tables, snapshot)
        const found = foundTeam(id, acting)
        return found && { ...found, ...namedBlocks(found.organization.id, named, acting) }
      },
      teamRepository: (snapshot, { id, owner, repository }, acting) => ({
        team: queriesIn(tables, snapshot).foundTeam(id, acting),
        repository: queriesIn(tables, snapshot).repositoryNamed(owner, repository, acting)
      }),
      repository: (snapshot, target, acting) => {
        const { blocks, namedBlocks, repositoryNamed, repositoryWithGrants } = queriesIn(tables, snapshot)
        const found =
          "id" in target
            ? repositoryWithGrants(target.id, acting)
            : repositoryNamed(target.owner, target.repository, acting)
        if (found === undefined) return undefined
        const { id } = found.repository.owner
        return { renamed: false, blocked: blocks(id, acting), ...found, ...namedBlocks(id, target.named, acting) }
      },
      packageOwner: (snapshot, { owner }, acting) => queriesIn(tables, snapshot).ownerNamed(owner, acting)
    }

    return {
      load: <K extends LoadedKind>(query: {
        readonly caller: CallerKey
        readonly sudo: string | undefined
        readonly about: Target<K>
      }) =>
        database.read((snapshot): LoadedFacts<K> => {
          const { about, caller, sudo } = query
          const target = sudo === undefined ? undefined : peopleIn(tables, snapshot).named(sudo)
          const keys = caller._tag === "SignInName" ? caller.failureKeys : []
          const find = finders[about.kind as K] as (
            snapshot: Snapshot,
            target: Target<K>,
            acting: UserId | undefined
          ) => LoadedResources[K] | undefined
          const found = callerOf(snapshot, caller)
          const actsAs = target?.renamed === false ? target.user : undefined
          const acting = actsAs ?? found?.user
          const thing = find(snapshot, about, acting?.id)
          const limited = restrictedAccountOf(acting, about.kind, thing)
          const isTied = hasSharedMembership(tables, snapshot, { userId: acting?.id })
          return {
            caller: found,
            failures: keys.flatMap((key): ReadonlyArray<Failures> => {
              const row = failure.find(snapshot, key)
              return row === undefined ? [] : [{ key: row.key, count: row.count, lastAt: row.lastAt }]
            }),
            sudo: actsAs,
            found: limited === undefined ? thing : withRelation(about.kind as K, thing, isTied(limited))
          }
        })
    }
  })
)
