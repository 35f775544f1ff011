import { type ErasedStore, nameKey, type OwnedStoreOf } from "@slipway/domain"
import { ownedKinds } from "@slipway/domain/forge"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { GitReader, ProtectionStore, RepositoryStore } from "@slipway/domain/forge/code"
import {
  accessTokens,
  type Email,
  emails,
  OrganizationStore,
  TeamStore,
  UserStore,
  type Viewer
} from "@slipway/domain/forge/identity"
import { Context, Effect } from "effect"

/**
 * Returns a function that reads rows by id, each id once. Ids that several requests of a page ask for at the same time
 * are read together.
 */
export const rowsOnce = <K, V>(
  read: (ids: ReadonlyArray<K>) => Effect.Effect<ReadonlyMap<K, V>>
): ((ids: ReadonlyArray<K>) => Effect.Effect<ReadonlyMap<K, V>>) => {
  type Batch = { readonly ids: Set<K>; readonly rows: Effect.Effect<ReadonlyMap<K, V>> }
  const known = new Map<K, Batch>()
  let open: Batch | undefined
  const begin = (): Batch => {
    const ids = new Set<K>()
    const reading = Effect.flatMap(Effect.yieldNow, () => {
      open = undefined
      return read([...ids])
    })
    return { ids, rows: Effect.runSync(Effect.cached(reading)) }
  }
  return (ids) =>
    Effect.suspend(() => {
      for (const id of ids) {
        if (known.has(id)) continue
        open ??= begin()
        open.ids.add(id)
        known.set(id, open)
      }
      const batches = new Set(ids.flatMap((id) => known.get(id) ?? []))
      return Effect.map(
        Effect.forEach(batches, ({ rows }) => rows, { concurrency: "unbounded" }),
        (found) => {
          const wanted = new Set(ids)
          return new Map(found.flatMap((rows) => [...rows].filter(([id]) => wanted.has(id))))
        }
      )
    })
}

/** Returns a function that reads the rows of a repository once. */
const ofRepositoryOnce = <A>(read: (repository: RepositoryId) => Effect.Effect<A>) => {
  const known = new Map<RepositoryId, Effect.Effect<A>>()
  return (repository: RepositoryId): Effect.Effect<A> => {
    const rows = known.get(repository) ?? Effect.runSync(Effect.cached(read(repository)))
    known.set(repository, rows)
    return rows
  }
}

const users = (store: UserStore["Service"]): UserStore["Service"] => {
  const byViewer = new Map<string, UserStore["Service"]["findMany"]>()
  const findMany = (viewer: Viewer): UserStore["Service"]["findMany"] => {
    const { facts, task, userId } = viewer
    const key = JSON.stringify([userId, facts, task])
    const known = byViewer.get(key)
    if (known !== undefined) return known
    const rows = rowsOnce((ids: Parameters<typeof store.findMany>[1]) => store.findMany(viewer, ids))
    const made: UserStore["Service"]["findMany"] = (_, ids) => rows(ids)
    byViewer.set(key, made)
    return made
  }
  return { ...store, findMany: (viewer, ids) => findMany(viewer)(viewer, ids) }
}

type EmailStore = Context.Service.Shape<typeof emails.store>

/** Finds each email address once: several requests of a page show the authors of the same commits. */
const emailsOnce = (store: EmailStore): EmailStore => {
  const rows = rowsOnce((keys: ReadonlyArray<string>) =>
    Effect.map(
      store.findManyBy(
        "address",
        keys.map((address) => ({ address }))
      ),
      (found) => new Map(found.map((each): [string, Email] => [nameKey(each.address), each]))
    )
  )
  return {
    ...store,
    findManyBy: (unique, values) =>
      unique === "address"
        ? Effect.map(rows(values.map((each) => nameKey((each as Pick<Email, "address">).address))), (found) => [
            ...found.values()
          ])
        : store.findManyBy(unique, values)
  }
}

/** Returns a function that reads once for equal arguments. */
export const once = <Args extends ReadonlyArray<unknown>, A, E>(read: (...args: Args) => Effect.Effect<A, E>) => {
  const known = new Map<string, Effect.Effect<A, E>>()
  return (...args: Args): Effect.Effect<A, E> => {
    const key = JSON.stringify(args)
    const result = known.get(key) ?? Effect.runSync(Effect.cached(read(...args)))
    known.set(key, result)
    return result
  }
}

/** Resolves each revision and lists each page of refs once; results about objects are cached by the reader itself. */
const refsOnce = (reader: GitReader["Service"]): GitReader["Service"] => ({
  ...reader,
  resolve: once(reader.resolve),
  refs: once(reader.refs)
})

/** Returns the stores of owned types with reads that run once for equal arguments. */
const ownedStoresOnce = (services: Context.Context<never>): Context.Context<never> =>
  ownedKinds.reduce((context: Context.Context<never>, kind): Context.Context<never> => {
    // BOUNDARY: reads of stores of all types run once in the same way.
    const key = kind.store as unknown as Context.Service<never, ErasedStore>
    const store = Context.get(context, key)
    return Context.add(context, key, {
      ...store,
      find: once(store.find),
      findBy: once(store.findBy),
      findManyBy: once(store.findManyBy),
      list: once(store.list),
      listEverywhere: once(store.listEverywhere),
      listFor: once(store.listFor),
      count: once(store.count),
      counts: once(store.counts)
    })
  }, services)

type TokenStore = Context.Service.Shape<typeof accessTokens.store>

/** Records the use of each token once: every request of a page is one. */
export const usesOnce = (store: TokenStore): TokenStore => {
  const known = new Map<number, ReturnType<TokenStore["patch"]>>()
  return {
    ...store,
    patch: (scope, id, change) => {
      const first = known.get(id) ?? Effect.runSync(Effect.cached(store.patch(scope, id, change)))
      known.set(id, first)
      return first
    }
  }
}

type Stores =
  | GitReader
  | OrganizationStore
  | OwnedStoreOf<"accessToken">
  | OwnedStoreOf<"email">
  | ProtectionStore
  | RepositoryStore
  | TeamStore
  | UserStore

/**
 * Returns services in which the requests of one page read users, email addresses, organizations, teams, numbers of
 * repositories, protections, git refs and equal rows of owned types once.
 *
 * Only for pages that change nothing.
 */
export const storesOfPage = (services: Context.Context<never>): Context.Context<never> => {
  const all = ownedStoresOnce(services) as Context.Context<Stores>
  const organizations = Context.get(all, OrganizationStore)
  const teams = Context.get(all, TeamStore)
  const repositories = Context.get(all, RepositoryStore)
  const protections = Context.get(all, ProtectionStore)
  return all.pipe(
    Context.add(GitReader, refsOnce(Context.get(all, GitReader))),
    Context.add(accessTokens.store, usesOnce(Context.get(all, accessTokens.store))),
    Context.add(emails.store, emailsOnce(Context.get(all, emails.store))),
    Context.add(UserStore, users(Context.get(all, UserStore))),
    Context.add(OrganizationStore, { ...organizations, findMany: rowsOnce(organizations.findMany) }),
    Context.add(TeamStore, { ...teams, findMany: rowsOnce(teams.findMany) }),
    Context.add(RepositoryStore, { ...repositories, summaries: rowsOnce(repositories.summaries) }),
    Context.add(ProtectionStore, {
      ...protections,
      branches: ofRepositoryOnce(protections.branches),
      tags: ofRepositoryOnce(protections.tags)
    })
  ) as Context.Context<never>
}
