import { type Sealed, secondsOf, timeOf, Vault } from "@slipway/domain"
import { normaliseScope, parseScopeWord } from "@slipway/domain/forge/access"
import {
  accessTokens,
  hashOf,
  isTokenText,
  noJob,
  type OAuth2Application,
  type ProtocolRecord,
  UserId
} from "@slipway/domain/forge/identity"
import { grantModel, ProtocolRecords } from "@slipway/forge/identity"
import { DateTime, Effect, Redacted, Schema } from "effect"
import type { Adapter, AdapterPayload, ClientMetadata } from "oidc-provider"
import { InvalidGrant } from "oidc-provider/lib/helpers/errors.js"
import { applicationOf, type RecordServices, type Run } from "./records.ts"

const accessToken = "AccessToken"
const owner = (model: string) => ({ uuid: model, field: "openid" })
const isoAt = (seconds: number): string => timeOf(seconds * 1_000)

const Payload = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))

const userIdOf = (accountId: string | undefined) => (accountId === undefined ? null : UserId.make(Number(accountId)))

const isWeb = (uri: string): boolean => /^https?:/.test(uri)

/**
 * Returns the metadata of an application for the OpenID library. A placeholder replaces the client secret, because only
 * its hash is stored.
 */
const metadataOf = ({ clientId, confidential, name, redirectUris }: OAuth2Application): ClientMetadata => ({
  client_id: clientId,
  client_name: name,
  redirect_uris: [...redirectUris],
  application_type: redirectUris.every(isWeb) ? "web" : "native",
  response_types: ["code"],
  grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
  ...(confidential
    ? { client_secret: "only its hash is kept", token_endpoint_auth_method: "client_secret_basic" }
    : { token_endpoint_auth_method: "none" })
})

const sealedPayload = Effect.fnUntraced(function* (model: string, payload: AdapterPayload) {
  const text = yield* Effect.orDie(Schema.encodeEffect(Payload)({ ...payload }))
  return { sealed: yield* (yield* Vault).seal(owner(model), Redacted.make(text)) }
})

const openPayload = Effect.fnUntraced(function* ({ consumedAt, model, payload }: ProtocolRecord) {
  const opened =
    typeof payload.sealed === "string"
      ? yield* Effect.orDie(
          Schema.decodeEffect(Payload)(
            Redacted.value(yield* (yield* Vault).open(owner(model), payload.sealed as Sealed))
          )
        )
      : // The library changes what it is given.
        structuredClone(payload)
  return {
    ...opened,
    ...(consumedAt === null ? {} : { consumed: secondsOf(consumedAt) })
  } as AdapterPayload
})

const opened = (record: ProtocolRecord | undefined) =>
  record === undefined ? Effect.succeed(undefined) : openPayload(record)

/**
 * Stores an OAuth2 access token in the same store as the tokens that users create, so that the same rules apply to both
 * (invariant I2). Returns false if the application, the user or the consent is missing.
 */
const writeToken = Effect.fnUntraced(function* (id: string, { jti: _, ...payload }: AdapterPayload) {
  const application = yield* applicationOf(payload.clientId)
  const userId = userIdOf(payload.accountId)
  if (application === undefined || userId === null || payload.grantId === undefined) return false
  const hash = yield* hashOf(id)
  const { exp, grantId, iat } = payload
  const insertion = Effect.orDie(
    (yield* accessTokens.store).insert({
      userId,
      kind: "oauth2",
      applicationId: application.id,
      grant: yield* hashOf(grantId),
      origin: { ...payload },
      ...noJob,
      name: `oauth2 ${hash.slice(0, 16)}`,
      scopes: normaliseScope((payload.scope ?? "").split(" ").flatMap((word) => parseScopeWord(word) ?? [])),
      lastEight: id.slice(-8),
      expiresAt: exp === undefined ? null : isoAt(exp),
      lastUsedAt: null,
      createdAt: isoAt(iat ?? 0),
      hash
    })
  )
  return yield* ProtocolRecords.withLockedRecord(grantModel, grantId, insertion)
})

const findToken = Effect.fnUntraced(function* (id: string) {
  if (!isTokenText(id)) return undefined
  const token = yield* (yield* accessTokens.store).findBy("hash", { hash: yield* hashOf(id) })
  return token?.kind === "oauth2" ? ({ ...token.origin, jti: id } as AdapterPayload) : undefined
})

const writeRecord = Effect.fnUntraced(function* (
  model: string,
  id: string,
  payload: AdapterPayload,
  expiresIn: number | undefined
) {
  const application = yield* applicationOf(payload.clientId)
  const isGrant = model === grantModel
  const present = yield* DateTime.now
  yield* ProtocolRecords.write({
    model,
    secret: id,
    userId: userIdOf(payload.accountId),
    applicationId: application?.id ?? null,
    grant: isGrant ? id : (payload.grantId ?? null),
    alias: payload.userCode ?? payload.uid ?? null,
    payload: isGrant ? { ...payload, name: application?.name ?? "" } : yield* sealedPayload(model, payload),
    expiresAt: expiresIn ? DateTime.formatIso(DateTime.add(present, { seconds: expiresIn })) : null
  })
})

/** Makes the storage adapter that the OpenID library uses for its models, such as sessions and codes. */
export const makeAdapter =
  (run: Run) =>
  (model: string): Adapter => {
    const isToken = model === accessToken
    const found = (record: Effect.Effect<ProtocolRecord | undefined, never, RecordServices>) =>
      run(Effect.flatMap(record, opened))
    return {
      upsert: (id, payload, expiresIn) =>
        isToken
          ? run(writeToken(id, payload)).then((written) => {
              if (!written) throw new InvalidGrant("the consent has ended")
            })
          : run(writeRecord(model, id, payload, expiresIn)),
      find: (id) => {
        if (model === "Client") {
          return run(Effect.map(applicationOf(id), (found) => found && (metadataOf(found) as AdapterPayload)))
        }
        return isToken ? run(findToken(id)) : found(ProtocolRecords.find(model, id))
      },
      findByUid: (uid) => found(ProtocolRecords.findAlias(model, uid)),
      findByUserCode: (code) => found(ProtocolRecords.findAlias(model, code)),
      consume: (id) =>
        run(
          ProtocolRecords.consume(model, id).pipe(
            Effect.as(true),
            Effect.catchTag("SecretReused", () => Effect.succeed(false))
          )
        ).then((first) => {
          if (!first) throw new InvalidGrant("it was used before")
        }),
      destroy: (id) =>
        run(
          isToken
            ? Effect.gen(function* () {
                yield* (yield* accessTokens.store).removeBy("hash", { hash: yield* hashOf(id) })
              })
            : ProtocolRecords.remove(model, id)
        ),
      revokeByGrantId: (grantId) => run(ProtocolRecords.endGrantOf(grantId))
    }
  }
