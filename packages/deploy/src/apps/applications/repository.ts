import { InvalidInput, type Sealed, Vault } from "@slipway/domain"
import { type Application, isRepositoryName, type Secrets, type Values } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { type ForgeApp, ForgeAppStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Redacted } from "effect"

/** The mask that replaces the password in an address. */
export const mask = "********"

const parts = /^([a-z]+:\/\/)([^/?#]*)@([^/?#]*)(.*)$/is

/**
 * Returns a repository address with its password or token masked (invariant I15: secrets are never disclosed).
 *
 * @example
 * maskedRepository("https://me:p@ss@forge.example/a/b.git") // => "https://me:********@forge.example/a/b.git"
 * maskedRepository("https://token@forge.example/a/b.git") // => "https://********@forge.example/a/b.git"
 * maskedRepository("ssh://git@forge.example/a/b.git") // => "ssh://git@forge.example/a/b.git"
 * maskedRepository("git@forge.example:a/b.git") // => "git@forge.example:a/b.git"
 */
export const maskedRepository = (address: string): string => {
  const [, scheme, credentials, host, path] = parts.exec(address) ?? []
  if (scheme === undefined || credentials === undefined) return address
  const colon = credentials.indexOf(":")
  if (colon >= 0) return `${scheme}${credentials.slice(0, colon)}:${mask}@${host}${path}`
  return /^https?:/i.test(scheme) && credentials !== "" ? `${scheme}${mask}@${host}${path}` : address
}

const placeOf = (address: string): string => {
  const [, scheme, credentials, host] = parts.exec(address) ?? []
  return `${scheme}${credentials}@${host}`.toLowerCase()
}

/**
 * Replaces the mask in a repository address with the password of the stored address.
 *
 * Returns undefined if the host or the account differs: the password would be sent to a host that the sender of the
 * address chose.
 */
const unmasked = (sent: string, opened: string): string | undefined => {
  if (placeOf(maskedRepository(opened)) !== placeOf(sent)) return undefined
  const [, scheme, credentials] = parts.exec(opened) ?? []
  const [, , , host, path] = parts.exec(sent) ?? []
  return `${scheme}${credentials}@${host}${path}`
}

const hasMask = (address: string): boolean => address === maskedRepository(address) && address.includes(`${mask}@`)

/** Returns the address of the repository `owner/name` on the host of a git-hosting app. */
export const addressAt = ({ htmlUrl }: Pick<ForgeApp, "htmlUrl">, name: string): string =>
  `${htmlUrl.replace(/\/+$/, "")}/${name.replace(/\.git$/, "")}.git`

/**
 * Returns the fields of a request, where a repository named `owner/name` is replaced by its address on the host of the
 * selected git-hosting app.
 */
export const withAddress = Effect.fnUntraced(function* (values: Values, present?: Pick<Application, "forgeAppUuid">) {
  const { git_repository: name } = values
  if (name === undefined || name === null || !isRepositoryName(name)) return values
  const uuid = values.forge_app_uuid ?? present?.forgeAppUuid ?? undefined
  const app = uuid === undefined ? undefined : yield* (yield* ForgeAppStore).find(uuid)
  // The placement refuses a missing app.
  if (app === undefined) return values
  return { ...values, git_repository: addressAt(app, name) }
})

const ownerOf = (uuid: ApplicationUuid) => ({ uuid, field: "git_repository" })

/** Returns the address of an application's repository, including its decrypted password. */
export const openedRepository = Effect.fnUntraced(function* ({
  configuration,
  secrets,
  uuid
}: Pick<Application, "configuration" | "secrets" | "uuid">) {
  const sealed = secrets.git_repository
  if (sealed === undefined) return configuration.git_repository ?? ""
  return Redacted.value(yield* (yield* Vault).open(ownerOf(uuid), sealed))
})

/** A repository address as stored: the public address, and the complete encrypted address if it contains a password. */
export interface StoredRepository {
  readonly shown: string | null
  readonly sealed: Sealed | undefined
}

/** Prepares a repository address for storage. A masked address gets the stored password for the same host and user. */
export const keepRepository = Effect.fnUntraced(function* (
  uuid: ApplicationUuid,
  sent: string | null,
  present: Pick<Application, "configuration" | "secrets" | "uuid"> | undefined
) {
  if (sent === null) return { shown: null, sealed: undefined } satisfies StoredRepository
  const whole =
    hasMask(sent) && present !== undefined
      ? unmasked(sent, yield* openedRepository(present))
      : hasMask(sent)
        ? undefined
        : sent
  if (whole === undefined) {
    const sentence = `Must contain the password itself: \`${mask}\` only keeps the stored password for the same host and user.`
    return yield* new InvalidInput({ problems: { git_repository: [sentence] } })
  }
  const shown = maskedRepository(whole)
  if (shown === whole) return { shown, sealed: undefined } satisfies StoredRepository
  return {
    shown,
    sealed: yield* (yield* Vault).seal(ownerOf(uuid), Redacted.make(whole))
  } satisfies StoredRepository
})

/** Returns encrypted settings in which the repository address is replaced. */
export const withRepository = ({ git_repository: _, ...secrets }: Secrets, { sealed }: StoredRepository): Secrets =>
  sealed === undefined ? secrets : { ...secrets, git_repository: sealed }
