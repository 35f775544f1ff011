import { Sealed, type SecretOwner, Vault } from "@slipway/domain"
import type { Release, Secrets } from "@slipway/domain/deploy/apps"
import type { TransferBundle } from "@slipway/domain/deploy/runtime"
import { Effect, Redacted } from "effect"
import { contentOwner } from "../../apps/storages/Storages.ts"
import { valueOwner } from "../../apps/variables/Variables.ts"

/** Replaces a secret by the same secret in another form. */
type Change<R> = (owner: SecretOwner, secret: Sealed) => Effect.Effect<Sealed, never, R>

const fieldsOf = <R>(uuid: string, secrets: Readonly<Record<string, Sealed>>, change: Change<R>) =>
  Effect.map(
    Effect.forEach(Object.entries(secrets), ([field, secret]) =>
      Effect.map(change({ uuid, field }, secret), (changed) => [field, changed] as const)
    ),
    (entries) => Object.fromEntries(entries)
  )

const ofApplication = <R>(uuid: string, secrets: Secrets, change: Change<R>) =>
  Effect.map(fieldsOf(uuid, secrets as Readonly<Record<string, Sealed>>, change), (changed) => changed as Secrets)

const orNull = <R>(owner: SecretOwner, secret: Sealed | null, change: Change<R>) =>
  secret === null ? Effect.succeed(null) : change(owner, secret)

const releaseWith = Effect.fnUntraced(function* <R>(release: Release, change: Change<R>) {
  const variables = yield* Effect.forEach(release.variables, (variable) =>
    Effect.gen(function* () {
      const value = yield* change(valueOwner(variable.uuid), variable.value)
      if (variable.resolved === undefined) return { ...variable, value }
      return { ...variable, value, resolved: yield* change(valueOwner(variable.uuid), variable.resolved) }
    })
  )
  return {
    ...release,
    variables,
    compose: yield* orNull({ uuid: release.uuid, field: "compose" }, release.compose, change),
    secrets: yield* ofApplication(release.applicationUuid, release.secrets, change)
  }
})

/** Replaces all secrets of a bundle. Each secret is bound to the uuid of its row and to its field. */
const mapSecrets = Effect.fnUntraced(function* <R>(bundle: TransferBundle, change: Change<R>) {
  const { server } = bundle
  const logDrains = yield* Effect.forEach(server.logDrains, (drain) =>
    Effect.map(
      orNull({ uuid: server.uuid, field: `log_drain_${drain.type}` }, drain.secret, change),
      (secret): typeof drain => ({ ...drain, secret })
    )
  )
  const engineKey = yield* orNull({ uuid: server.uuid, field: "engine_key" }, server.engineKey, change)
  return {
    ...bundle,
    server: { ...server, logDrains, engineKey },
    privateKeys: yield* Effect.forEach(bundle.privateKeys, (key) =>
      Effect.map(change({ uuid: key.uuid, field: "private_key" }, key.privateKey), (privateKey) => ({
        ...key,
        privateKey
      }))
    ),
    buckets: yield* Effect.forEach(
      bundle.buckets,
      Effect.fnUntraced(function* (bucket) {
        const { uuid } = bucket
        return {
          ...bucket,
          accessKey: yield* change({ uuid, field: "accessKey" }, bucket.accessKey),
          secretKey: yield* change({ uuid, field: "secretKey" }, bucket.secretKey),
          identity: yield* orNull({ uuid, field: "identity" }, bucket.identity, change)
        }
      })
    ),
    sharedVariables: yield* Effect.forEach(bundle.sharedVariables, (row) =>
      Effect.map(change(valueOwner(row.uuid), row.value), (value) => ({ ...row, value }))
    ),
    applications: yield* Effect.forEach(bundle.applications, (row) =>
      Effect.map(ofApplication(row.uuid, row.secrets, change), (secrets) => ({ ...row, secrets }))
    ),
    databases: yield* Effect.forEach(bundle.databases, (row) =>
      Effect.map(fieldsOf(row.uuid, row.secrets, change), (secrets) => ({ ...row, secrets }))
    ),
    variables: yield* Effect.forEach(bundle.variables, (row) =>
      Effect.map(change(valueOwner(row.uuid), row.value), (value) => ({ ...row, value }))
    ),
    storages: yield* Effect.forEach(bundle.storages, (row) =>
      Effect.map(orNull(contentOwner(row.uuid), row.content, change), (content) => ({ ...row, content }))
    ),
    releases: yield* Effect.forEach(bundle.releases, (release) => releaseWith(release, change))
  } satisfies TransferBundle
})

/** Decrypts the secrets of a bundle, which must not leave the instance before the bundle is encrypted as a whole. */
export const openSecrets = Effect.fnUntraced(function* (bundle: TransferBundle) {
  const vault = yield* Vault
  return yield* mapSecrets(bundle, (owner, secret) =>
    Effect.map(vault.open(owner, secret), (plain) => Sealed.make(Redacted.value(plain)))
  )
})

/** Encrypts the secrets of a received bundle with the key of this instance. */
export const sealSecrets = Effect.fnUntraced(function* (bundle: TransferBundle) {
  const vault = yield* Vault
  return yield* mapSecrets(bundle, (owner, secret) => vault.seal(owner, Redacted.make(secret)))
})
