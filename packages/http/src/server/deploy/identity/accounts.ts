import { Accounts, Sessions, Tokens } from "@slipway/deploy/identity"
import { timeOf } from "@slipway/domain"
import { Effect, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { AccountsApi } from "../../../api/deploy/identity/accounts.ts"
import { answerList } from "../../lists.ts"
import { withLocation } from "../../wire/locationHeader.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { showAccount, showIdentity, showSession, showToken } from "../base/show.ts"
import { callerAddressOf } from "./SignInSite.ts"

class Api extends HttpApi.make("deploy").add(AccountsApi).prefix("/api/v1") {}

const secret = (text: string | undefined) => (text === undefined ? undefined : Redacted.make(text))

/** The handlers of accounts. */
export const layerAccounts = HttpApiBuilder.group(Api, "accounts", (handlers) =>
  handlers.handleAll({
    list: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("account.list")
        return yield* answerList(query, {
          page: (request) => Accounts.list(proof, request),
          all: Accounts.stream(proof),
          show: (accounts) => Effect.succeed(accounts.map(showAccount))
        })
      }),
    create: ({ payload: { email = null, is_root = false, name, password } }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("account.create")
          const input = { name, email, isRoot: is_root, password: secret(password) }
          const account = yield* Accounts.create(proof, input)
          return withLocation(`/api/v1/accounts/${account.uuid}`, showAccount(account))
        })
      ),
    me: () =>
      Effect.gen(function* () {
        const proof = yield* granted("account.own")
        const { account, hasPassword, identities } = yield* Accounts.own(proof)
        return {
          ...showAccount(account),
          has_password: hasPassword,
          session_uuid: proof.resource.caller.session?.uuid ?? null,
          identities: identities.map(showIdentity)
        }
      }),
    setPassword: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("account.password")
          yield* Accounts.changePassword(proof, {
            present: Redacted.make(payload.current_password),
            next: Redacted.make(payload.new_password),
            address: yield* Effect.flatMap(HttpServerRequest.HttpServerRequest, callerAddressOf)
          })
          return { message: "Password changed; all other sessions ended." }
        })
      ),
    sessions: () =>
      Effect.gen(function* () {
        const proof = yield* granted("account.session.list")
        const current = proof.resource.caller.session?.uuid
        return (yield* Sessions.list(proof)).map((session) => showSession(session, current))
      }),
    endSessions: () =>
      Effect.gen(function* () {
        const ended = yield* Sessions.endAll(yield* granted("account.session.end"))
        return { message: `${ended} sessions ended.` }
      }),
    endSession: ({ params }) =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* Sessions.end(yield* granted("account.session.end"), params.session_uuid)
          return { message: "Session ended." }
        })
      ),
    unlinkIdentity: ({ params }) =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* Accounts.unlink(yield* granted("account.identity.unlink"), params.identity_uuid)
          return { message: "Identity unlinked." }
        })
      ),
    tokens: () =>
      Effect.gen(function* () {
        return (yield* Tokens.listOwn(yield* granted("account.token.list"))).map(showToken)
      }),
    createToken: ({ payload: { abilities, expires_at, name } }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("account.token.create")
          const expiresAt = expires_at === null || expires_at === undefined ? null : timeOf(expires_at)
          const { plain, token } = yield* Tokens.createOwn(proof, { name, abilities, expiresAt })
          const shown = { ...showToken(token), token: Redacted.value(plain) }
          return withLocation(`/api/v1/account/tokens/${token.uuid}`, shown)
        })
      ),
    revokeToken: ({ params }) =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* Tokens.revokeOwn(yield* granted("account.token.revoke"), params.token_uuid)
          return { message: "Token revoked." }
        })
      ),
    get: () => Effect.map(granted("account.read"), (proof) => showAccount(proof.resource.account)),
    update: ({ payload: { email, is_disabled, is_root, password } }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("account.update")
          const change = { email, isRoot: is_root, isDisabled: is_disabled, password: secret(password) }
          return showAccount(yield* Accounts.update(proof, change))
        })
      )
  })
)
