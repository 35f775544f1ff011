import type { Page, PageRequest } from "@slipway/domain"
import { now } from "@slipway/domain"
import { allows, siteFactsOf } from "@slipway/domain/forge/access"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { Proof } from "@slipway/domain/forge/entry"
import {
  type KeyHolder,
  KeyInUse,
  KeyNotFound,
  PublicKeyReader,
  type SshKey,
  SshKeyStore,
  signedInUser,
  UserStore
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { findUser } from "../accounts/namedUser.ts"

/** The fields of a new key; the title defaults to the key's comment. */
export interface KeyInput {
  readonly title: string
  readonly key: string
}

const longestTitle = 255

const insert = Effect.fnUntraced(function* (holder: KeyHolder, { key, title }: KeyInput) {
  const { comment, fingerprint, publicKey } = yield* (yield* PublicKeyReader).read(key)
  const store = yield* SshKeyStore
  const createdAt = yield* now
  const named = title.trim() || comment.slice(0, longestTitle) || fingerprint
  return yield* store
    .insert({ holder, title: named, publicKey, comment, fingerprint, createdAt })
    .pipe(Effect.catchTag("Duplicate", () => Effect.fail(new KeyInUse())))
})

const eventDetails = (key: SshKey) => ({ details: { key: key.title, fingerprint: key.fingerprint } })

const isUsers = (key: SshKey | undefined, userId: number): key is SshKey =>
  key?.holder.kind === "user" && key.holder.userId === userId

const isRepositorys = (key: SshKey | undefined, repositoryId: number): key is SshKey =>
  key?.holder.kind === "repository" && key.holder.repositoryId === repositoryId

/** The filter of a list of keys. */
export interface KeyFilter {
  readonly id?: number | undefined
  readonly fingerprint?: string | undefined
}

/** Lists all keys, or only the one that matches a filter. */
const listed = Effect.fnUntraced(function* (
  { fingerprint, id }: KeyFilter,
  isAmong: (key: SshKey) => boolean,
  all: (store: SshKeyStore["Service"]) => Effect.Effect<Page<SshKey>>
) {
  const store = yield* SshKeyStore
  if (fingerprint === undefined && id === undefined) return yield* all(store)
  const found = yield* fingerprint === undefined ? store.find(id ?? 0) : store.byFingerprint(fingerprint)
  const rows = found !== undefined && isAmong(found) && (id === undefined || found.id === id) ? [found] : []
  return { rows, total: rows.length } satisfies Page<SshKey>
})

/** Lists the caller's SSH keys by id. */
export const listOwn = (
  { resource }: Proof<"account.key.list">,
  page: PageRequest,
  filter: Pick<KeyFilter, "fingerprint"> = {}
) => {
  const { id } = signedInUser(resource)
  return listed(
    filter,
    (key) => isUsers(key, id),
    (store) => store.ofUser(id, page)
  )
}

/** Lists the SSH keys of a user by id; visible to everyone who sees the user. */
export const listOf = (
  { resource: { user } }: Proof<"user.key.list">,
  page: PageRequest,
  filter: Pick<KeyFilter, "fingerprint"> = {}
) =>
  listed(
    filter,
    (key) => isUsers(key, user.id),
    (store) => store.ofUser(user.id, page)
  )

/** Reads a key of the caller, or of any user for user administrators. */
export const readOwn = Effect.fnUntraced(function* ({ resource }: Proof<"account.key.read">, id: number) {
  const self = signedInUser(resource)
  const key = yield* (yield* SshKeyStore).find(id)
  if (key?.holder.kind !== "user") return yield* new KeyNotFound({ id })
  const { userId } = key.holder
  if (userId === self.id) return { key, user: self }
  const { switches } = yield* SiteSettings
  const administers = allows("admin.user.list", siteFactsOf(switches, resource.actor.facts))
  const user = administers ? yield* (yield* UserStore).find(userId) : undefined
  return user === undefined ? yield* new KeyNotFound({ id }) : { key, user }
})

/** Adds an SSH key of the caller. */
export const addOwn = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.key.create">, input: KeyInput) {
    return yield* insert({ kind: "user", userId: signedInUser(resource).id }, input)
  }),
  (key) => eventDetails(key)
)

/** Removes an SSH key of the caller. */
export const removeOwn = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.key.delete">, id: number) {
    const store = yield* SshKeyStore
    const key = yield* store.find(id)
    if (!isUsers(key, signedInUser(resource).id)) return yield* new KeyNotFound({ id })
    yield* store.remove(key.id)
    return key
  }),
  (key) => eventDetails(key)
)

/** Adds an SSH key to a user, by an administrator. */
export const addFor = audited(
  Effect.fnUntraced(function* (_: Proof<"admin.user.key.create">, name: string, input: KeyInput) {
    const user = yield* findUser(name)
    return { user, key: yield* insert({ kind: "user", userId: user.id }, input) }
  }),
  ({ key, user }) => ({ ...eventDetails(key), user })
)

/** Removes an SSH key of a user, by an administrator. */
export const removeFor = audited(
  Effect.fnUntraced(function* (_: Proof<"admin.user.key.delete">, name: string, id: number) {
    const store = yield* SshKeyStore
    const user = yield* findUser(name)
    const key = yield* store.find(id)
    if (!isUsers(key, user.id)) return yield* new KeyNotFound({ id })
    yield* store.remove(key.id)
    return { user, key }
  }),
  ({ key, user }) => ({ ...eventDetails(key), user })
)

/** Lists the deploy keys of a repository by id. */
export const listDeploy = (
  { resource: { repository } }: Proof<"repository.key.list">,
  page: PageRequest,
  filter: KeyFilter = {}
) =>
  listed(
    filter,
    (key) => isRepositorys(key, repository.id),
    (store) => store.ofRepository(repository.id, page)
  )

/** Reads a deploy key of a repository. */
export const readDeploy = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.key.read">,
  id: number
) {
  const key = yield* (yield* SshKeyStore).find(id)
  return isRepositorys(key, repository.id) ? key : yield* new KeyNotFound({ id })
})

/** Adds a deploy key to a repository, read-only or with write access. */
export const addDeploy = audited(
  Effect.fnUntraced(function* (
    { resource: { repository } }: Proof<"repository.key.create">,
    input: KeyInput & { readonly readOnly: boolean }
  ) {
    return yield* insert({ kind: "repository", repositoryId: repository.id, readOnly: input.readOnly }, input)
  }),
  (key) => eventDetails(key)
)

/** Removes a deploy key of a repository. */
export const removeDeploy = audited(
  Effect.fnUntraced(function* ({ resource: { repository } }: Proof<"repository.key.delete">, id: number) {
    const store = yield* SshKeyStore
    const key = yield* store.find(id)
    if (!isRepositorys(key, repository.id)) return yield* new KeyNotFound({ id })
    yield* store.remove(key.id)
    return key
  }),
  (key) => eventDetails(key)
)
