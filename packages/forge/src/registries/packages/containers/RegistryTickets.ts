import { Sealed, Vault } from "@slipway/domain"
import { SiteSettings } from "@slipway/domain/forge/base"
import { FactsStore } from "@slipway/domain/forge/entry"
import type { Actor } from "@slipway/domain/forge/identity"
import { type Credential, credentialOf, hashOf, type Presented, UserId } from "@slipway/domain/forge/identity"
import { DateTime, Duration, Effect, Redacted, Schema } from "effect"
import { passwordMark } from "../../../entry/credentials/authenticate.ts"
import * as Entry from "../../../entry/Entry.ts"

/** The permissions that a ticket grants on an image, by their names in the registry protocol. */
export const imageAccesses = ["pull", "push", "delete"] as const
export type ImageAccess = (typeof imageAccesses)[number]

/** An image name with its owner, and the requested or granted permissions. */
export interface ImageGrant {
  readonly name: string
  readonly access: ReadonlyArray<ImageAccess>
}

const Ticket = Schema.Struct({
  /** The authenticated holder: anonymous, a token by its hash, or a user by password or proxy. */
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
  /** In milliseconds since 1970. */
  until: Schema.Number
})

/** The content of a ticket. */
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

/** Returns the requested grants that the actor is allowed; omits the others without an error. */
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

/** Returns the credential of the actor for a ticket; undefined for a signature, which covers only one request. */
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
 * Creates a ticket for the actor, with the allowed part of the requested grants.
 *
 * The ticket grants nothing by itself: its holder is authorized at the time of use, limited to its grants (invariants
 * I2, I5). Impersonating callers get none.
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

/** Returns whether a header contains a ticket, valid or not. */
export const isShown = (authorization: string | undefined): boolean => /^Bearer oci-/i.test(authorization ?? "")

/** Reads the ticket of a header; undefined for an expired or forged one. */
export const read = Effect.fnUntraced(function* (authorization: string | undefined) {
  const [, sealed = ""] = /^Bearer oci-([A-Za-z0-9+/=]{1,8000})$/i.exec(authorization ?? "") ?? []
  if (sealed === "") return undefined
  const opened = yield* Effect.option((yield* Vault).tryOpen(owner, Sealed.make(sealed)))
  if (opened._tag === "None") return undefined
  const ticket = yield* Effect.option(decode(Redacted.value(opened.value)))
  if (ticket._tag === "None") return undefined
  return ticket.value.until > DateTime.toEpochMillis(yield* DateTime.now) ? ticket.value : undefined
})

/** Returns whether a ticket covers an access to an image. */
export const covers = ({ grants }: RegistryTicket, name: string, access: ImageAccess): boolean =>
  grants.some((grant) => grant.name === name && grant.access.includes(access))

/** Returns the credential of a ticket's holder. */
export const credentialIn = ({ by }: RegistryTicket): Credential => {
  if (by.kind === "nobody") return { _tag: "Nothing" }
  return by.kind === "token" ? { _tag: "TokenHash", hash: by.hash } : { _tag: "Lent", ...by }
}
