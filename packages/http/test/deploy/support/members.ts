import { Sessions } from "@slipway/deploy/identity"
import { now } from "@slipway/domain"
import type { Ability } from "@slipway/domain/deploy/access"
import { type Account, AccountStore, AccountUuid, TeamId, TeamStore, TokenStore } from "@slipway/domain/deploy/identity"
import { Effect, Redacted } from "effect"
import type { Service } from "./harness.ts"

/** A role on a place; the whole team if it names none. */
export interface RoleOn {
  readonly role: string
  readonly type?: "application" | "database" | "environment" | "project" | "service" | "team"
  readonly uuid?: string
}

let people = 0

/** Creates an account, as a sign-in would; it is in no team. */
export const makeAccount = ({ within }: Service, name: string, facts: { readonly isRoot?: boolean } = {}) =>
  within(
    Effect.gen(function* () {
      const at = yield* now
      const uuid = AccountUuid.make(`person${String(++people).padStart(18, "0")}`)
      const row = { uuid, name: `${name}-${people}`, email: null, isRoot: false, isDisabled: false, lastSignInAt: null }
      return yield* Effect.orDie((yield* AccountStore).insert({ ...row, ...facts, createdAt: at, updatedAt: at }))
    })
  )

/** Creates a token of an account in a team, which the account need not belong to. */
export const tokenOf = (
  { mint, within }: Service,
  accountUuid: AccountUuid,
  { abilities = ["root"], team = 0 }: { readonly abilities?: ReadonlyArray<Ability>; readonly team?: number } = {}
) =>
  Effect.gen(function* () {
    const { text, ...token } = yield* mint(...abilities)
    const row = { ...token, accountUuid, teamId: TeamId.make(team) }
    yield* within(Effect.flatMap(TokenStore, (store) => store.replace(row)))
    return text
  })

/** Begins a session of an account, as a sign-in would; returns its text. */
export const sessionOf = ({ within }: Service, account: Account) =>
  within(
    Effect.map(Sessions.begin(account, { agent: "test", address: "127.0.0.1" }), ({ plain }) => Redacted.value(plain))
  )

/** Adds an account to a team. */
export const join = ({ within }: Service, accountUuid: AccountUuid, team = 0) =>
  within(
    Effect.gen(function* () {
      yield* (yield* TeamStore).addMember({ teamId: TeamId.make(team), accountUuid, createdAt: yield* now })
    })
  )

/** Creates a member of the root team with roles, and a token of the member with every ability. */
export const makeMember = Effect.fnUntraced(function* (
  service: Service,
  name: string,
  roles: ReadonlyArray<RoleOn>,
  abilities: ReadonlyArray<Ability> = ["root"]
) {
  const account = yield* makeAccount(service, name)
  yield* join(service, account.uuid)
  for (const { role, type = "team", uuid = null } of roles) {
    const body = { account_uuid: account.uuid, place_type: type, place_uuid: uuid, role }
    yield* service.ask(201, "POST", "/grants", body)
  }
  return { account, token: yield* tokenOf(service, account.uuid, { abilities }) }
})

/** Creates another team with an owner, and a token of the owner with every ability. */
export const makeTeam = Effect.fnUntraced(function* (service: Service, name: string) {
  const { id } = yield* service.ask(201, "POST", "/teams", { name })
  const owner = yield* makeAccount(service, "owner")
  const invited = { account_uuid: owner.uuid, place_type: "team", role: "owner" }
  const { uuid } = yield* service.ask(201, "POST", `/teams/${id}/invitations`, invited)
  const token = yield* tokenOf(service, owner.uuid, { team: id })
  yield* service.ask(200, "POST", `/invitations/${uuid}/accept`, undefined, { token })
  return { id: id as number, owner, token }
})
