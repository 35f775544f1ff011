import { type Sealed, Vault } from "@slipway/domain"
import type { Remote } from "@slipway/domain/forge/integrations"
import { Effect, Redacted } from "effect"

/** The stored credentials at another host. */
export interface SealedAccount {
  readonly url: string
  readonly uuid: string
  readonly username: string
  readonly password: Sealed | null
}

const ownerOf = (uuid: string) => ({ uuid, field: "remote password" })

/** Encrypts the password of a mirror or migration for storage; an empty password is not stored. */
export const sealPassword = Effect.fnUntraced(function* (uuid: string, password: string) {
  return password === "" ? null : yield* (yield* Vault).seal(ownerOf(uuid), Redacted.make(password))
})

/** Returns a remote repository with its decrypted credentials. */
export const openRemote = Effect.fnUntraced(function* ({ password, url, username, uuid }: SealedAccount) {
  if (password === null) {
    const account = username === "" ? undefined : { username, password: Redacted.make("") }
    return { url, account } satisfies Remote
  }
  const opened = yield* (yield* Vault).open(ownerOf(uuid), password)
  return { url, account: { username, password: opened } } satisfies Remote
})
