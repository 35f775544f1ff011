import { Sealed, Vault } from "@slipway/domain"
import type { ClonePath } from "@slipway/domain/forge/code"
import { type SshKey, SshKeyId } from "@slipway/domain/forge/identity"
import { DateTime, Duration, Effect, Redacted, Schema } from "effect"

/** The operations that an LFS ticket allows. */
export type LfsOperation = "download" | "upload"

const Ticket = Schema.Struct({
  key: SshKeyId,
  owner: Schema.String,
  repository: Schema.String,
  operation: Schema.Literals(["download", "upload"]),
  /** The time when the ticket expires, in milliseconds since 1970. */
  until: Schema.Number
})

/**
 * The content of an LFS ticket: a short-lived credential with which a client that authenticated over SSH continues over
 * HTTP.
 */
export type LfsTicket = typeof Ticket.Type

const lasting = Duration.minutes(30)
const owner = { uuid: "lfs", field: "ticket" }
const prefix = "lfs-"
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Ticket))

/**
 * Returns the URL and the ticket with which an LFS client that authenticated over SSH continues over HTTP, in the
 * format of `git-lfs-authenticate`.
 *
 * The ticket only identifies the SSH key. Each request with the ticket is authorized with the current permissions of
 * the key.
 */
export const give = Effect.fnUntraced(function* (
  key: SshKey,
  operation: LfsOperation,
  path: ClonePath,
  rootUrl: string
) {
  const until = DateTime.toEpochMillis(yield* DateTime.now) + Duration.toMillis(lasting)
  const text = JSON.stringify({
    key: key.id,
    owner: path.owner,
    repository: path.repository,
    operation,
    until
  } satisfies LfsTicket)
  const sealed = yield* (yield* Vault).seal(owner, Redacted.make(text))
  return JSON.stringify({
    href: `${rootUrl}/${path.owner}/${path.repository}.git/info/lfs`,
    header: { Authorization: `Bearer ${prefix}${sealed}` },
    expires_in: Duration.toSeconds(lasting)
  })
})

/** Decrypts the LFS ticket in a request header; undefined if the header contains no valid ticket, or an expired one. */
export const read = Effect.fnUntraced(function* (authorization: string | undefined) {
  const found = /^Bearer lfs-([A-Za-z0-9+/=]{1,2000})$/i.exec(authorization ?? "")
  if (found === null) return undefined
  const opened = yield* Effect.option((yield* Vault).tryOpen(owner, Sealed.make(found[1] ?? "")))
  if (opened._tag === "None") return undefined
  const ticket = yield* Effect.option(decode(Redacted.value(opened.value)))
  if (ticket._tag === "None") return undefined
  return ticket.value.until > DateTime.toEpochMillis(yield* DateTime.now) ? ticket.value : undefined
})
