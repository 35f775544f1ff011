import { Effect, Redacted } from "effect"
import { makeSecret } from "../../Ids.ts"
import { Vault } from "../../Vault.ts"
import type { Database, DatabaseUuid } from "./Database.ts"
import { type DatabaseKind, kindOf } from "./kinds.ts"

/** What a request sends for the fields of a kind, by their names. */
export type Sent = Readonly<Record<string, string>>

/** The values of all fields of a database, its secrets opened; null is unset. */
export type Values = Readonly<Record<string, string | null>>

const namesOf = (kind: DatabaseKind, isSecret: boolean) =>
  Object.entries(kindOf(kind).fields).filter(([, { secret }]) => secret === isSecret)

/** Returns the fields of a new database that are no secrets, those left out as they are when nobody sets them. */
export const settingsFor = (kind: DatabaseKind, sent: Sent): Database["settings"] =>
  Object.fromEntries(namesOf(kind, false).map(([name, { unset }]) => [name, sent[name] ?? unset]))

/** Returns the fields that are no secrets as an update leaves them. */
export const changedSettings = ({ settings }: Pick<Database, "settings">, sent: Sent): Database["settings"] =>
  Object.fromEntries(Object.entries(settings).map(([name, present]) => [name, sent[name] ?? present]))

/** Seals the secrets that were sent; those left out stay as they are, and what is not there yet is made up. */
export const seal = Effect.fnUntraced(function* (
  uuid: DatabaseUuid,
  kind: DatabaseKind,
  present: Database["secrets"],
  sent: Sent
) {
  const vault = yield* Vault
  const secrets = { ...present }
  for (const [field] of namesOf(kind, true)) {
    if (sent[field] === undefined && present[field] !== undefined) continue
    const secret = sent[field] === undefined ? yield* makeSecret : sent[field]
    secrets[field] = yield* vault.seal({ uuid, field }, Redacted.make(secret))
  }
  return secrets as Database["secrets"]
})

/** Opens the secrets of a database, beside its other fields. */
export const open = Effect.fnUntraced(function* ({ secrets, settings, uuid }: Database) {
  const vault = yield* Vault
  const values: Record<string, string | null> = { ...settings }
  for (const [field, sealed] of Object.entries(secrets)) {
    values[field] = Redacted.value(yield* vault.open({ uuid, field }, sealed))
  }
  return values as Values
})
