import { elapsedMilliseconds, InvalidInput, makeSecret, makeUuid, now, Transaction } from "@slipway/domain"
import type { Ability } from "@slipway/domain/deploy/access"
import { PlacementStore } from "@slipway/domain/deploy/apps"
import { type Action, type Authorized, type Caller, decideAccess, isSuspended } from "@slipway/domain/deploy/entry"
import {
  AccountStore,
  type AccountUuid,
  accountAccess,
  GrantStore,
  LastRootToken,
  mostTokens,
  ownerAccess,
  rootTeam,
  type Session,
  TeamStore,
  type Token,
  TokenNotFound,
  TokenStore,
  TokenUuid,
  TooManyTokens,
  teamOf,
  Unauthenticated
} from "@slipway/domain/deploy/identity"
import { hashOf as hashOfSecret } from "@slipway/domain/sign-in"
import { Effect, Option, Redacted } from "effect"
import { listUseCase } from "../../base/reading/listUseCases.ts"
import { accountOf } from "../callers/accountOf.ts"
import { sessionEnded } from "../sessions/Sessions.ts"

/** The fields of a token that its creator sets. */
export interface TokenInput {
  readonly name: string
  readonly abilities: ReadonlyArray<Ability>
  readonly expiresAt: string | null
  /** The uuids of the projects that the token may access; null or omitted for all projects. */
  readonly projects?: ReadonlyArray<string> | null
}

const hashOf = (token: Redacted.Redacted) => hashOfSecret(Redacted.value(token))

const usesAreNotedEvery = 60_000

const isOlder = (iso: string, milliseconds: number, present: string): boolean =>
  elapsedMilliseconds(iso, present) >= milliseconds

const isOver = ({ expiresAt }: Token, present: string): boolean => expiresAt !== null && isOlder(expiresAt, 0, present)

/**
 * Returns the permissions of a token: those of its account in its team, or, without an account, those of a team owner.
 * Fails if the account is missing or disabled.
 */
const accessOfToken = Effect.fnUntraced(function* ({ accountUuid, projects, teamId }: Token) {
  if (accountUuid === null) return ownerAccess(teamId, projects)
  const found = yield* (yield* GrantStore).accessOf(accountUuid)
  if (found === undefined || found.isDisabled) return yield* new Unauthenticated()
  return accountAccess(found, teamId, projects)
})

/** Authenticates a bearer token. Rejects a wrong, revoked or expired token, and a token of a disabled account. */
export const authenticate = Effect.fnUntraced(function* (presented: Redacted.Redacted) {
  const store = yield* TokenStore
  const found = yield* store.findWithAccount(yield* hashOf(presented))
  const present = yield* now
  if (found === undefined || isOver(found.token, present)) return yield* new Unauthenticated()
  const { account, token } = found
  if (account?.isDisabled === true) return yield* new Unauthenticated()
  // Recording each use would turn every read into a write.
  if (token.lastUsedAt === null || isOlder(token.lastUsedAt, usesAreNotedEvery, present)) {
    yield* store.touch(token.uuid, present)
  }
  const { abilities, accountUuid, uuid } = token
  const isApiDisabled = !found.isApiEnabled
  // Only a token without an account owns its team.
  if (accountUuid !== null && found.access === undefined) return yield* new Unauthenticated()
  const access =
    found.access === undefined
      ? ownerAccess(token.teamId, token.projects)
      : accountAccess(found.access, token.teamId, token.projects)
  return { tokenUuid: uuid, abilities, accountUuid, access, account, isApiDisabled } satisfies Caller
})

/** A new token with its plain text, which is returned to its creator once and not stored. */
export interface MintedToken {
  readonly token: Token
  readonly plain: Redacted.Redacted
}

const millisecondsOfDay = 24 * 60 * 60 * 1_000

/** Fails if a token would live longer than the team of the caller allows. */
const requireLifetime = Effect.fnUntraced(function* (caller: Caller, expiresAt: string | null, present: string) {
  if (caller.accountUuid === null) return
  const team = yield* (yield* TeamStore).find(teamOf(caller.access))
  if (team === undefined || team.tokenDays === null) return
  if (expiresAt !== null && elapsedMilliseconds(present, expiresAt) <= team.tokenDays * millisecondsOfDay) return
  const problem = `Must be at most ${team.tokenDays} days from now: the team limits the lifetime of tokens.`
  return yield* new InvalidInput({ problems: { expires_at: [problem] } })
})

/** Fails if a project does not belong to the team of the caller. */
const requireProjects = Effect.fnUntraced(function* ({ access }: Caller, projects: ReadonlyArray<string>) {
  if (projects.length === 0) return
  const places = yield* (yield* PlacementStore).places(projects)
  const isMine = (uuid: string) => {
    const found = places.get(uuid)
    return found?.type === "project" && found.place.teamId === teamOf(access)
  }
  if (projects.every(isMine)) return
  return yield* new InvalidInput({ problems: { projects: ["There is no such project in the team."] } })
})

const insert = Effect.fnUntraced(function* (caller: Caller, input: TokenInput) {
  const present = yield* now
  yield* requireLifetime(caller, input.expiresAt, present)
  yield* requireProjects(caller, input.projects ?? [])
  if (input.expiresAt !== null && isOlder(input.expiresAt, 0, present)) {
    return yield* new InvalidInput({ problems: { expires_at: ["Must be in the future."] } })
  }
  const transaction = yield* Transaction
  const secret = yield* makeSecret
  return yield* transaction.run(
    Effect.gen(function* () {
      const store = yield* TokenStore
      const uuid = yield* makeUuid(TokenUuid)
      // The hash covers the row's id, which is known only after the insert; until then the uuid stands in, which
      // matches no token.
      const owner = { teamId: teamOf(caller.access), accountUuid: caller.accountUuid, projects: input.projects ?? null }
      const row = { ...input, ...owner, uuid, hash: uuid, lastUsedAt: null, createdAt: present, updatedAt: present }
      const inserted = yield* Effect.orDie(store.insert(row))
      const plain = Redacted.make(`${inserted.id}|${secret}`)
      const token: Token = { ...inserted, hash: yield* hashOf(plain) }
      yield* Effect.orDie(store.replace(token))
      return { token, plain } satisfies MintedToken
    })
  )
})

/** Inserts a token of an account. Fails if the account has the maximum number of tokens. */
const insertLimited = Effect.fnUntraced(function* (caller: Caller, account: AccountUuid, input: TokenInput) {
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      // Concurrent requests of one account must not exceed the limit together.
      yield* (yield* AccountStore).lock(account)
      const present = yield* (yield* TokenStore).ofAccount(account)
      if (present.length >= mostTokens) return yield* new TooManyTokens({ most: mostTokens })
      return yield* insert(caller, input)
    })
  )
})

/**
 * Creates a token for the caller's team and account. Its plain text `<id>|<secret>` is returned only once.
 *
 * A token that an account creates acts as that account, and is deleted with the account.
 */
export const create = Effect.fnUntraced(function* ({ resource }: Authorized<"token.create">, input: TokenInput) {
  const { accountUuid } = resource.caller
  return yield* accountUuid === null
    ? insert(resource.caller, input)
    : insertLimited(resource.caller, accountUuid, input)
})

/** Lists the tokens of the caller's account. */
export const listOwn = Effect.fnUntraced(function* ({ resource }: Authorized<"account.token.list">) {
  return yield* (yield* TokenStore).ofAccount(accountOf(resource).uuid)
})

/** Creates a token that acts as the caller's account. */
export const createOwn = Effect.fnUntraced(function* (
  { resource }: Authorized<"account.token.create">,
  input: TokenInput
) {
  return yield* insertLimited(resource.caller, accountOf(resource).uuid, input)
})

/** Revokes a token of the caller's account immediately (invariant I7: a lost permission takes effect without delay). */
export const revokeOwn = Effect.fnUntraced(function* ({ resource }: Authorized<"account.token.revoke">, uuid: string) {
  const tokens = yield* TokenStore
  const own = (yield* tokens.ofAccount(accountOf(resource).uuid)).find((each) => each.uuid === uuid)
  if (own === undefined || !(yield* Effect.orDie(tokens.remove(own.uuid)))) return yield* new TokenNotFound()
})

/** Ensures that the token that the operator configured exists, with all abilities. */
export const ensureChosen = Effect.fnUntraced(function* (_: Authorized<"token.create">, chosen: Redacted.Redacted) {
  const store = yield* TokenStore
  const hash = yield* hashOf(chosen)
  if ((yield* store.findByHash(hash)) !== undefined) return
  const at = yield* now
  const uuid = yield* makeUuid(TokenUuid)
  const abilities: ReadonlyArray<Ability> = ["root"]
  const owner = { teamId: rootTeam, accountUuid: null, projects: null }
  const row = { ...owner, uuid, name: "chosen at start", abilities, hash, expiresAt: null, lastUsedAt: null }
  yield* Effect.orDie(store.insert({ ...row, createdAt: at, updatedAt: at }))
})

/** Returns the uuid of the caller's token. For the platform itself, the value matches no stored token. */
const tokenOf = ({ caller }: { readonly caller: Caller }) => TokenUuid.make(caller.tokenUuid, { disableChecks: true })

/** Returns the token that the caller uses. */
export const introspect = Effect.fnUntraced(function* ({ resource }: Authorized<"token.introspect">) {
  const found = yield* (yield* TokenStore).find(tokenOf(resource))
  return found ?? (yield* new Unauthenticated())
})

/** List use cases: `list` reads one page of tokens, `stream` reads all; neither returns secrets. */
export const { list, stream } = listUseCase("token", TokenStore)

/** Returns whether a token administers the instance: it is of the root team, without an account or project limit. */
const isInstanceRoot = ({ accountUuid, projects, teamId }: Token): boolean =>
  teamId === rootTeam && accountUuid === null && projects === null

/** Revokes a token immediately (invariant I7). Fails for the last `root` token: nothing could create another. */
export const revoke = Effect.fnUntraced(function* ({ resource }: Authorized<"token.revoke">) {
  const { uuid } = resource.token
  const transaction = yield* Transaction
  yield* transaction.run(
    Effect.gen(function* () {
      const store = yield* TokenStore
      const present = yield* now
      const roots = (yield* store.lockRoots).filter((token) => isInstanceRoot(token) && !isOver(token, present))
      if (roots.length === 1 && roots[0]?.uuid === uuid) return yield* new LastRootToken()
      const removed = yield* Effect.orDie(store.remove(uuid))
      if (!removed) return yield* new TokenNotFound()
    })
  )
})

const lapsesAreNoticedEvery = "5 seconds"

/** Returns the current abilities and permissions of the caller's token; undefined if it was revoked or expired. */
const presentToken = Effect.fnUntraced(function* (caller: Caller) {
  const store = yield* TokenStore
  const token = yield* store.find(tokenOf({ caller }))
  if (token === undefined || isOver(token, yield* now)) return undefined
  const found = yield* store.findWithAccount(token.hash)
  const access = Option.getOrUndefined(yield* Effect.option(accessOfToken(token)))
  return found && access && { abilities: token.abilities, access, isApiDisabled: !found.isApiEnabled }
})

/** Returns the current permissions of a session; undefined if it has ended. */
const presentSession = Effect.fnUntraced(function* (session: Session) {
  if (yield* sessionEnded(session)) return undefined
  const found = yield* (yield* GrantStore).accessOf(session.accountUuid)
  return found && { access: accountAccess(found) }
})

/**
 * Waits like `waitForExpiry`, and also until the resource is removed, or moves to a place where the caller has no
 * permission. `presentResource` reads the resource with its present place.
 */
export const waitForRevocation = Effect.fnUntraced(function* <A extends Action, R>(
  { action, resource }: Authorized<A>,
  presentResource: Effect.Effect<Authorized<A>["resource"] | undefined, never, R>
) {
  const { caller } = resource
  for (;;) {
    yield* Effect.sleep(lapsesAreNoticedEvery)
    const present = yield* caller.session === undefined ? presentToken(caller) : presentSession(caller.session)
    if (present === undefined) return
    const asked = { ...caller, ...present }
    const found = yield* presentResource
    if (isSuspended(asked, action) || !decideAccess(asked, action, found as never).allowed) return
  }
})

/**
 * Waits until an authorization proof is no longer valid (invariant I7): its token or session is revoked or expires, the
 * account or the API is disabled, or the caller no longer has permission for the action.
 */
export const waitForExpiry = (proof: Authorized<Action>) => waitForRevocation(proof, Effect.succeed(proof.resource))
