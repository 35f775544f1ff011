import { InvalidInput, Vault } from "@slipway/domain"
import { GitHostFailed } from "@slipway/domain/deploy/apps"
import type { TeamId } from "@slipway/domain/deploy/identity"
import type { ForgeApp, PrivateKey, PrivateKeyUuid } from "@slipway/domain/deploy/infrastructure"
import { PrivateKeyStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"

/**
 * Returns whether a key signs requests for the host of an API.
 *
 * A signature identifies the app but not the host, so another host that receives it could replay it.
 *
 * @example
 * signsForHostOf({ signsFor: "https://api.forge.example" }, "https://API.forge.example/v3/") // => true
 * signsForHostOf({ signsFor: "https://api.forge.example" }, "https://api.forge.example.net") // => false
 * signsForHostOf({ signsFor: "https://api.forge.example" }, "http://api.forge.example") // => false
 * signsForHostOf({ signsFor: null }, "https://api.forge.example") // => false
 */
export const signsForHostOf = ({ signsFor }: Pick<PrivateKey, "signsFor">, apiUrl: string): boolean =>
  signsFor !== null && new URL(signsFor).origin === new URL(apiUrl).origin

/** Binds and locks the key of a team's app for an API host. Fails if the key is bound to another host. */
export const bindKey = Effect.fnUntraced(function* (uuid: PrivateKeyUuid, apiUrl: string, teamId: TeamId) {
  const store = yield* PrivateKeyStore
  // Locked, so that the second of two concurrent bindings sees the first.
  const key = yield* store.lock(uuid)
  if (key?.teamId !== teamId) {
    return yield* new InvalidInput({ problems: { private_key_uuid: ["There is no such private key."] } })
  }
  if (key.signsFor === null) return yield* Effect.orDie(store.replace({ ...key, signsFor: apiUrl }))
  if (signsForHostOf(key, apiUrl)) return
  const sentence = `The private key only signs for ${new URL(key.signsFor).origin}; store it again for another host.`
  return yield* new InvalidInput({ problems: { api_url: [sentence] } })
})

/** Decrypts the signing key of an app, which may only be used for its bound host. */
export const openAppKey = Effect.fnUntraced(function* ({ apiUrl, privateKeyUuid }: ForgeApp) {
  const key = privateKeyUuid === null ? undefined : yield* (yield* PrivateKeyStore).find(privateKeyUuid)
  if (key === undefined) return yield* new GitHostFailed({ because: "the private key is gone" })
  if (!signsForHostOf(key, apiUrl)) {
    return yield* new GitHostFailed({ because: "the private key signs for a host other than that of the `api_url`" })
  }
  return yield* (yield* Vault).open({ uuid: key.uuid, field: "private_key" }, key.privateKey)
})
