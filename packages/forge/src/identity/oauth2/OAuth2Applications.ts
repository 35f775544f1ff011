import type { OwnedPage } from "@slipway/domain"
import { makeSecret, makeUuid, now, Uuid } from "@slipway/domain"
import { inOwner } from "@slipway/domain/forge/automation"
import type { Proof } from "@slipway/domain/forge/entry"
import {
  hashOf,
  mostOAuth2Applications,
  mostRedirectUris,
  type OAuth2Application,
  OAuth2ApplicationInvalid,
  OAuth2ApplicationNotFound,
  type OAuth2ApplicationSettings,
  oauth2Applications,
  redirectUriProblem,
  signedInUser,
  TooManyOAuth2Applications
} from "@slipway/domain/forge/identity"
import { Effect, Redacted } from "effect"
import { audited } from "../../base/events/record.ts"
import { lockHolder } from "../../base/locks/lockHolder.ts"

type Placed<Verb extends "list" | "create" | "read" | "edit" | "delete"> = Proof<`account.oauth2-application.${Verb}`>

const scopeOf = ({ resource }: { readonly resource: Proof<"account.oauth2-application.list">["resource"] }) => ({
  userId: signedInUser(resource).id
})

/** An application with its secret, which is returned only once, to its creator. */
export interface MintedOAuth2Application {
  readonly application: OAuth2Application
  readonly secret: Redacted.Redacted
}

/** The fields of an application; in an update, omitted fields stay unchanged. */
export type OAuth2ApplicationInput = {
  readonly [F in keyof OAuth2ApplicationSettings]?: OAuth2ApplicationSettings[F] | undefined
}

const check = Effect.fnUntraced(function* ({ name, redirectUris }: OAuth2ApplicationInput) {
  if (name !== undefined && name.trim() === "") {
    return yield* new OAuth2ApplicationInvalid({ field: "name", problem: "must not be empty" })
  }
  if (redirectUris === undefined) return
  const invalid = (problem: string) => new OAuth2ApplicationInvalid({ field: "redirect_uris", problem })
  if (redirectUris.length === 0) return yield* invalid("must name an address")
  if (redirectUris.length > mostRedirectUris) return yield* invalid(`must be at most ${mostRedirectUris}`)
  const problem = redirectUris.map(redirectUriProblem).find((each) => each !== undefined)
  if (problem !== undefined) return yield* invalid(problem)
})

/** Creates a secret, and returns it with its hash. */
export const newSecret = Effect.gen(function* () {
  const text = `slo_${yield* makeSecret}`
  return { secret: Redacted.make(text), secretHash: yield* hashOf(text) }
})

const eventDetails = ({ application: { id, name } }: MintedOAuth2Application) => ({
  details: { application: id, name }
})

/** Lists the OAuth2 applications of the caller. */
export const list = Effect.fnUntraced(function* (proof: Placed<"list">, page: OwnedPage) {
  return yield* (yield* oauth2Applications.store).list(scopeOf(proof), page)
})

/** Reads an OAuth2 application of the caller. */
export const read = Effect.fnUntraced(function* (proof: Placed<"read">, id: number) {
  const found = yield* (yield* oauth2Applications.store).find(scopeOf(proof), id)
  return found ?? (yield* new OAuth2ApplicationNotFound({ id }))
})

/** Creates an OAuth2 application; its secret is returned only once (invariant I15). */
export const create = audited(
  Effect.fnUntraced(function* (
    proof: Placed<"create">,
    input: OAuth2ApplicationInput & Pick<OAuth2ApplicationSettings, "name" | "redirectUris">
  ) {
    yield* check(input)
    const scope = scopeOf(proof)
    const store = yield* oauth2Applications.store
    yield* lockHolder(inOwner({ kind: "user", id: scope.userId }))
    if ((yield* store.count(scope)) >= mostOAuth2Applications) {
      return yield* new TooManyOAuth2Applications({ most: mostOAuth2Applications })
    }
    const { secret, secretHash } = yield* newSecret
    const application = yield* Effect.orDie(
      store.insert({
        ...scope,
        name: input.name,
        redirectUris: input.redirectUris,
        confidential: input.confidential ?? true,
        skipsConsent: input.skipsConsent ?? false,
        clientId: yield* makeUuid(Uuid),
        secretHash,
        successorHash: null,
        createdAt: yield* now
      })
    )
    return { application, secret } satisfies MintedOAuth2Application
  }),
  (done) => eventDetails(done)
)

/** Updates an OAuth2 application, and replaces its secret; omitted fields stay unchanged. */
export const edit = audited(
  Effect.fnUntraced(function* (proof: Placed<"edit">, id: number, input: OAuth2ApplicationInput) {
    yield* check(input)
    const store = yield* oauth2Applications.store
    const present = yield* store.lock(scopeOf(proof), id)
    if (present === undefined) return yield* new OAuth2ApplicationNotFound({ id })
    const { secret, secretHash } = yield* newSecret
    const application = yield* Effect.orDie(
      store.patch(scopeOf(proof), id, {
        name: input.name ?? present.name,
        redirectUris: input.redirectUris ?? present.redirectUris,
        confidential: input.confidential ?? present.confidential,
        skipsConsent: input.skipsConsent ?? present.skipsConsent,
        secretHash,
        successorHash: null
      })
    )
    if (application === undefined) return yield* new OAuth2ApplicationNotFound({ id })
    return { application, secret } satisfies MintedOAuth2Application
  }),
  (done) => eventDetails(done)
)

const removed = audited(
  Effect.fnUntraced(function* (proof: Placed<"delete">, id: number) {
    const gone = yield* (yield* oauth2Applications.store).remove(scopeOf(proof), id)
    return gone ?? (yield* new OAuth2ApplicationNotFound({ id }))
  }),
  ({ id, name }) => ({ details: { application: id, name } })
)

/** Removes an application. */
export const remove = (proof: Placed<"delete">, id: number) => Effect.asVoid(removed(proof, id))
