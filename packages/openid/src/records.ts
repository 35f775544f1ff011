import type { Vault } from "@slipway/domain"
import { type emails, oauth2Applications, UserId } from "@slipway/domain/forge/identity"
import { grantIn, grantModel, type groupsOf, ProtocolRecords, type usableAccount } from "@slipway/forge/identity"
import { Effect } from "effect"

/** The services that are needed to store protocol records, such as sessions, codes and consents. */
export type RecordServices =
  | Effect.Services<ReturnType<typeof ProtocolRecords.write>>
  | Effect.Services<ReturnType<typeof ProtocolRecords.consume>>
  | Effect.Services<ReturnType<typeof usableAccount>>
  | Effect.Services<typeof oauth2Applications.store>
  | Effect.Services<ReturnType<typeof groupsOf>>
  | Effect.Services<typeof emails.store>
  | Vault

/** Runs an effect that stores protocol records, and returns its result as a promise. */
export type Run = <A, E>(effect: Effect.Effect<A, E, RecordServices>) => Promise<A>

/** Finds an application by its client id. */
export const applicationOf = Effect.fnUntraced(function* (clientId: string | undefined) {
  if (clientId === undefined) return undefined
  return yield* (yield* oauth2Applications.store).findBy("clientId", { clientId })
})

/**
 * Finds the consent that a user has given to an application: its id, and the granted scopes. Returns undefined if there
 * is none.
 */
export const consentOf = Effect.fnUntraced(function* (accountId: string | undefined, clientId: string | undefined) {
  const application = yield* applicationOf(clientId)
  if (accountId === undefined || application === undefined) return undefined
  const [last] = yield* ProtocolRecords.ofUser(grantModel, UserId.make(Number(accountId)), application.id)
  const grant = last && grantIn(last)
  return grant === undefined ? undefined : { id: last?.payload.jti as string, scopes: grant.scopes }
})
