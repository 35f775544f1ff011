import { Effect, Redacted } from "effect"
import { makeSecret } from "../../Ids.ts"
import { type Sealed, Vault } from "../../Vault.ts"
import type { Database, DatabaseUuid } from "./Database.ts"
import { type DatabaseKind, kindOf } from "./kinds.ts"

/** The values of database fields that a request contains, by field name. */
export type Sent = Readonly<Record<string, string>>

/** The values of all fields of a database by name, including decrypted secrets; null is unset. */
export type Values = Readonly<Record<string, string | null>>

const namesOf = (kind: DatabaseKind, isSecret: boolean) =>
  Object.entries(kindOf(kind).fields).filter(([, { secret }]) => secret === isSecret)

const storedOf = (kind: DatabaseKind, name: string, sent: Sent): string | undefined => {
  const value = sent[name]
  return value === undefined ? undefined : (kindOf(kind).fields[name]?.stored?.(value) ?? value)
}

/** Returns the values of the non-secret fields of a new database; omitted fields have their defaults. */
export const settingsFor = (kind: DatabaseKind, sent: Sent): Database["settings"] =>
  Object.fromEntries(namesOf(kind, false).map(([name, { unset }]) => [name, storedOf(kind, name, sent) ?? unset]))

/** Returns the non-secret fields after an update; fields that are neither sent nor stored have their defaults. */
export const changedSettings = (
  { kind, settings }: Pick<Database, "kind" | "settings">,
  sent: Sent
): Database["settings"] =>
  Object.fromEntries(
    namesOf(kind, false).map(([name, { unset }]) => [name, storedOf(kind, name, sent) ?? settings[name] ?? unset])
  )

/** Encrypts the secret fields in a request for a database. */
export const sealSent = Effect.fnUntraced(function* (uuid: DatabaseUuid, kind: DatabaseKind, sent: Sent) {
  const vault = yield* Vault
  const secrets: Record<string, Sealed> = {}
  for (const [field] of namesOf(kind, true)) {
    const secret = sent[field]
    if (secret !== undefined) secrets[field] = yield* vault.seal({ uuid, field }, Redacted.make(secret))
  }
  return secrets as Database["secrets"]
})

/** Encrypts all secrets of a new database; generates the secrets that the request omits. */
export const sealAll = Effect.fnUntraced(function* (uuid: DatabaseUuid, kind: DatabaseKind, sent: Sent) {
  const whole: Record<string, string> = { ...sent }
  for (const [field] of namesOf(kind, true)) whole[field] ??= yield* makeSecret
  return yield* sealSent(uuid, kind, whole)
})

/** Decrypts the secrets of a database and returns them with its other fields. */
export const open = Effect.fnUntraced(function* ({ secrets, settings, uuid }: Database) {
  const vault = yield* Vault
  const values: Record<string, string | null> = { ...settings }
  for (const [field, sealed] of Object.entries(secrets)) {
    values[field] = Redacted.value(yield* vault.open({ uuid, field }, sealed))
  }
  return values as Values
})
