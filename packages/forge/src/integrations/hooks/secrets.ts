import { type Sealed, Vault } from "@slipway/domain"
import type { Hook } from "@slipway/domain/forge/integrations"
import { Effect, Redacted } from "effect"

/** The secrets of a webhook: the signing secret and the authorization header. */
export type HookSecret = "secret" | "authorization"

const ownerOf = (uuid: string, field: HookSecret) => ({ uuid, field: `hook ${field}` })

/** Encrypts a secret of a webhook for storage. An empty text removes the secret; undefined keeps the stored one. */
export const sealHookSecret = Effect.fnUntraced(function* (
  uuid: string,
  field: HookSecret,
  secret: string | undefined,
  present: Sealed | null
) {
  if (secret === undefined) return present
  return secret === "" ? null : yield* (yield* Vault).seal(ownerOf(uuid, field), Redacted.make(secret))
})

/** Decrypts a secret of a webhook. */
export const openHookSecret = Effect.fnUntraced(function* (hook: Hook, field: HookSecret) {
  const sealed = hook[field]
  return sealed === null ? undefined : yield* (yield* Vault).open(ownerOf(hook.uuid, field), sealed)
})
