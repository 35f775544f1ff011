import { Sealed, Vault } from "@slipway/domain"
import { SiteSettings } from "@slipway/domain/forge/base"
import { FactsStore } from "@slipway/domain/forge/entry"
import type { Actor } from "@slipway/domain/forge/identity"
import { type Credential, credentialOf, hashOf, type Presented, UserId } from "@slipway/domain/forge/identity"
import { DateTime, Duration, Effect, Redacted, Schema } from "effect"
import { passwordMark } from "../../../entry/credentials/authenticate.ts"
import * as Entry from "../../../entry/Entry.ts"

/** The permissions on an image, as in the registry protocol; a ticket (the registry's bearer token) grants them. */
export const imageAccesses = ["pull", "push", "delete"] as const
export type ImageAccess = (typeof imageAccesses)[number]

/** An image name with its owner, and the requested or granted permissions. */
export interface ImageGrant {
  readonly name: string
  readonly access: ReadonlyArray<ImageAccess>
}

const Ticket = Schema.Struct({
  /** The authenticated holder: anonymous, a token by its hash, or a user signed in by password or proxy. */
  by: Schema.Union([
    Schema.Struct({ kind: Schema.Literal("nobody") }),
    Schema.Struct({ kind: Schema.Literal("token"), hash: Schema.String }),
    Schema.Struct({
      kind: Schema.Literal("user"),
      userId: UserId,
      name: Schema.String,
      mark: Schema.NullOr(Schema.String)
    })
  ]),
  grants: Schema.Array(Schema.Struct({ name: Schema.String, access: Schema.Array(Schema.Literals(imageAccesses)) })),
  /** The expiry time, in milliseconds since 1970. */
  until: Schema.Number
})

/** The decrypted content of a ticket, the short-lived bearer token that container clients use. */
export type RegistryTicket = typeof Ticket.Type

/** The lifetime of a ticket; clients request a new one automatically. */
export const ticketsLast = Duration.minutes(5)
/** How many images one ticket may cover. */
export const mostGrants = 10

const owner = { uuid: "registry", field: "ticket" }
const prefix = "oci-"
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Ticket))

const actionsOf = {
  pull: "package.container.read",
  push: "package.container.publish",
  delete: "package.container.delete"
} as const

/** Returns the owner part of an image name. */
export const ownerIn = (name: string): string => name.slice(0, Math.max(0, name.indexOf("/")))

/** Returns the actor's permissions on the images of an owner. */
const allowedOn = (
  actor: Actor,
  ownerName: string
): Effect.Effect<ReadonlySet<ImageAccess>, never, Effect.Services<ReturnType<typeof Entry.authorizeSecondResource>>> =>
  Effect.flatMap(Entry.authorizeSecondResource(actor, { kind: "packageOwner", owner: ownerName }), (entered) =>
    Effect.forEach(imageAccesses, (access) =>
      Effect.map(Entry.authorize(actionsOf[access], entered), (): ReadonlyArray<ImageAccess> => [access]).pipe(
        Effect.catchTag("AccessRefused", () => Effect.succeed<ReadonlyArray<ImageAccess>>([]))
      )
    )
  ).pipe(
    Effect.map((allowed) => new Set(allowed.flat())),
    // Images of a renamed owner are available under the old name too.
    Effect.catchTag("Renamed", ({ to }) => allowedOn(actor, to.owner ?? ""))
  )

/** Returns the part of the requested permissions that the actor has; omits the others without an error. */
export const grantable = Effect.fnUntraced(function* (actor: Actor, asked: ReadonlyArray<ImageGrant>) {
  const few = asked.slice(0, mostGrants)
  const owners = [...new Set(few.map(({ name }) => ownerIn(name)))]
  const allowed = new Map(
    yield* Effect.forEach(owners, (name) => Effect.map(allowedOn(actor, name), (each) => [name, each] as const))
  )
  return few.flatMap(({ access, name }): ReadonlyArray<ImageGrant> => {
    const allowedAccess = access.filter((each) => allowed.get(ownerIn(name))?.has(each))
    return allowedAccess.length === 0 ? [] : [{ name, access: allowedAccess }]
  })
})

/**
 * Returns the holder to store in a ticket; undefined if the request was signed: a signature covers one request only.
 */
const holderOf = Effect.fnUntraced(function* ({ user, via }: Actor, presented: Presented) {
  if (user === undefined) return { kind: "nobody" } as const
  const named = { kind: "user", userId: user.id, name: user.name } as const
  if (via.kind === "proxy") return { ...named, mark: null }
  if (via.kind === "password") {
    const caller = { _tag: "SignInName", name: user.name, failureKeys: [] } as const
    const loaded = yield* (yield* FactsStore).load({ caller, sudo: undefined, about: { kind: "site" } })
    return { ...named, mark: yield* passwordMark(loaded.caller?.passwordHash ?? null) }
  }
  const { signIn } = yield* SiteSettings
  const sent = credentialOf(presented, signIn)
  return sent._tag === "Token"
    ? ({ kind: "token", hash: yield* hashOf(Redacted.value(sent.token)) } as const)
    : undefined
})

/**
 * Creates a ticket (bearer token of the registry) with those requested permissions that the actor has.
 *
 * Every use of the ticket authorizes its holder again; the ticket only limits the permissions (invariants I2, I5).
 * Returns undefined for callers that impersonate another user.
 */
export const give = Effect.fnUntraced(function* (actor: Actor, presented: Presented, asked: ReadonlyArray<ImageGrant>) {
  if (actor.user?.id !== actor.signedInAs?.id) return undefined
  const by = yield* holderOf(actor, presented)
  if (by === undefined) return undefined
  const at = yield* DateTime.now
  const ticket: RegistryTicket = {
    by,
    grants: yield* grantable(actor, asked),
    until: DateTime.toEpochMillis(at) + Duration.toMillis(ticketsLast)
  }
  const sealed = yield* (yield* Vault).seal(owner, Redacted.make(JSON.stringify(ticket)))
  return { token: `${prefix}${sealed}`, seconds: Duration.toSeconds(ticketsLast), issuedAt: DateTime.formatIso(at) }
})

/** Returns whether an `Authorization` header has the form of a ticket; does not check that the ticket is valid. */
export const isShown = (authorization: string | undefined): boolean => /^Bearer oci-/i.test(authorization ?? "")

/** Decrypts the ticket in an `Authorization` header; undefined if the ticket is missing, expired or forged. */
export const read = Effect.fnUntraced(function* (authorization: string | undefined) {
  const [, sealed = ""] = /^Bearer oci-([A-Za-z0-9+/=]{1,8000})$/i.exec(authorization ?? "") ?? []
  if (sealed === "") return undefined
  const opened = yield* Effect.option((yield* Vault).tryOpen(owner, Sealed.make(sealed)))
  if (opened._tag === "None") return undefined
  const ticket = yield* Effect.option(decode(Redacted.value(opened.value)))
  if (ticket._tag === "None") return undefined
  return ticket.value.until > DateTime.toEpochMillis(yield* DateTime.now) ? ticket.value : undefined
})

/** Returns whether a ticket contains a permission on an image. */
export const covers = ({ grants }: RegistryTicket, name: string, access: ImageAccess): boolean =>
  grants.some((grant) => grant.name === name && grant.access.includes(access))

/** Returns the credential by which the holder of a ticket is authenticated again. */
export const credentialIn = ({ by }: RegistryTicket): Credential => {
  if (by.kind === "nobody") return { _tag: "Nothing" }
  return by.kind === "token" ? { _tag: "TokenHash", hash: by.hash } : { _tag: "Lent", ...by }
}
