import type { Refused } from "@slipway/access"
import { decideOn } from "@slipway/access"
import { decided } from "@slipway/domain"
import type { KindOf, SwitchFacts } from "@slipway/domain/forge/access"
import { admit, newSiteSwitches, notFound, ordinary, policyOf, siteFactsOf } from "@slipway/domain/forge/access"
import { type SignInSettings, SiteSettings } from "@slipway/domain/forge/base"
import type { LoadedAction, LoadedKind, Proof } from "@slipway/domain/forge/entry"
import {
  actorFactsHere,
  type CallerKey,
  FactsStore,
  kinds,
  type LoadedFacts,
  type LoadedResources,
  type Renames,
  type ResourceDecision,
  type Target
} from "@slipway/domain/forge/entry"
import {
  type Actor,
  accountKey,
  addressKey,
  addressOf,
  type Credential,
  callerFacts,
  credentialOf,
  nobody,
  PasswordHasher,
  type Presented
} from "@slipway/domain/forge/identity"
import { Context, Data, Effect, Schema } from "effect"
import { NetAddress } from "effect/net"
import { type EventSubjects, recordRefusal } from "../base/events/record.ts"
import { type Authenticating, Authenticator } from "./credentials/Authenticator.ts"
import { authenticate, callerKeyOf, InvalidCredentials } from "./credentials/authenticate.ts"
import { signerOf } from "./credentials/signedRequest.ts"

/** The parts of a request that determine the actor. */
export interface EntryRequest extends Presented {
  /** The name of the user to act as: the query parameter `sudo`, else the header `Sudo`. */
  readonly sudo?: string | undefined
  /** Whether the request changes the password of its caller. */
  readonly changesPassword?: boolean | undefined
  /** Whether the action is open to anonymous callers of a site that requires sign-in. */
  readonly forVisitors?: boolean | undefined
}

/** Reports a refused request, with the status and message of the rule. */
export class AccessRefused extends Data.TaggedError("AccessRefused")<{ readonly decision: Refused }> {}

/** Reports that the user to act as does not exist. */
export class SudoUserNotFound extends Schema.TaggedError<SudoUserNotFound>()("SudoUserNotFound", {
  name: Schema.String
}) {}

/** The actor, and the facts found about the request's resource. */
export interface EnteredActor<K extends LoadedKind> {
  readonly actor: Actor
  readonly switches: SwitchFacts
  readonly about: Target<K>
  readonly found: LoadedResources[K] | undefined
}

/** Returns whether an action is allowed to a user who must change the password first. */
export const isPasswordChange = (action: LoadedAction): boolean => action === "account.password.set"

const forVisitors: ReadonlySet<LoadedAction> = new Set([
  "account.create",
  "account.password-reset.create",
  "account.password-reset.finish"
] as const)

/** Returns whether an action is open to anonymous callers of a site that requires sign-in, since it leads to one. */
export const isForVisitors = (action: LoadedAction): boolean => forVisitors.has(action)

/** The source of a credential, and the user to act as. */
export interface EntryOrigin {
  readonly address: NetAddress.IpAddress
  /** The name of the user to act as. */
  readonly sudo?: string | undefined
  /** Whether the request changes the caller's password, which the account may require first. */
  readonly changesPassword?: boolean | undefined
  /** Whether the action is open to anonymous callers of a site that requires sign-in. */
  readonly forVisitors?: boolean | undefined
}

const originOf = (request: EntryRequest, settings: SignInSettings): EntryOrigin => ({
  address: addressOf(request, settings),
  sudo: request.sudo,
  changesPassword: request.changesPassword,
  forVisitors: request.forVisitors
})

/** Returns the caller's credential: from a custom authenticator, else from the request. */
const credentialSent = ({ callerOf }: Authenticating, request: EntryRequest, settings: SignInSettings) =>
  Effect.mapEager(callerOf(request), (name) =>
    name === undefined ? credentialOf(request, settings) : signedInBefore(name)
  )

const signedInBefore = (name: string): Credential => ({ _tag: "ProxyUser", name })

/** Authenticates the caller of an HTTP request, from its credential and its address. */
export const enter = <K extends LoadedKind>(request: EntryRequest, about: Target<K>) =>
  Effect.contextWith((services: Context.Context<SiteSettings>) => {
    const site = Context.get(services, SiteSettings)
    const sent = credentialSent(Context.get(services, Authenticator), request, site.signIn)
    return Effect.flatMapEager(sent, (credential) => letIn(site, credential, originOf(request, site.signIn), about))
  })

/**
 * Authorizes a caller again with current facts, for long-running requests.
 *
 * Does not check a password or a signature again, because one-time codes and signatures are used up; looks up
 * everything else.
 */
export const enterAgain = Effect.fnUntraced(function* <K extends LoadedKind>(
  before: Actor,
  request: EntryRequest,
  about: Target<K>
) {
  const { signIn } = yield* SiteSettings
  const { signedInAs, via } = before
  const known = via.kind === "password" ? signedInAs : undefined
  const credential =
    known === undefined
      ? { ...(yield* credentialSent(yield* Authenticator, request, signIn)), again: true }
      : signedInBefore(known.name)
  const entered = yield* enterAs(credential, originOf(request, signIn), about)
  // The name may belong to another user now.
  if (entered.actor.signedInAs?.id !== signedInAs?.id) return yield* new InvalidCredentials({ because: "credentials" })
  return { ...entered, actor: { ...entered.actor, via } }
})

/** Authorizes the actor on a second resource that the request names in addition to its path. */
export const authorizeSecondResource = Effect.fnUntraced(function* <K extends LoadedKind>(
  actor: Actor,
  about: Target<K>
) {
  const { switches } = yield* SiteSettings
  const caller =
    actor.user === undefined ? ({ _tag: "Nobody" } as const) : { _tag: "Name" as const, name: actor.user.name }
  const { found } = yield* (yield* FactsStore).load({ caller, sudo: undefined, about })
  return { actor, switches, about, found } satisfies EnteredActor<K>
})

/** Decides an action of the actor on a resource named here, with current facts. */
export const authorizeElsewhere = <A extends LoadedAction>(
  action: A,
  actor: Actor,
  about: Target<KindOf<A> & LoadedKind>
) => Effect.flatMap(authorizeSecondResource(actor, about), (entered) => authorize(action, entered))

/** The facts of an anonymous caller and the site, which need no query. */
const nothingLoaded = Effect.succeed({ caller: undefined, failures: [], sudo: undefined, found: undefined })

type Authentication = ReturnType<typeof signerOf> | ReturnType<typeof authenticate> | ReturnType<typeof callerKeyOf>

/** Why a caller is rejected. */
type EntryError = Effect.Error<Authentication> | AccessRefused | SudoUserNotFound

type EntryServices = Effect.Services<Authentication> | FactsStore | PasswordHasher

const letIn = <K extends LoadedKind>(
  site: SiteSettings["Service"],
  presented: Credential,
  origin: EntryOrigin,
  about: Target<K>
): Effect.Effect<EnteredActor<K>, EntryError, EntryServices> => {
  const { address, sudo } = origin
  const known: Effect.Effect<Credential, EntryError, EntryServices> =
    presented._tag === "Signature" ? signerOf(presented) : Effect.succeed(presented)
  return Effect.flatMapEager(known, (credential) => {
    const failureKeys = credential._tag === "Password" ? [accountKey(credential.name), addressKey(address)] : []
    const load = (caller: CallerKey): Effect.Effect<LoadedFacts<K>, never, FactsStore> =>
      caller._tag === "Nobody" && sudo === undefined && (about.kind === "site" || about.kind === "signedLink")
        ? nothingLoaded
        : Effect.flatMap(FactsStore, (store) => store.load({ caller, sudo, about }))
    const loading = Effect.flatMapEager(callerKeyOf(credential, failureKeys), load)
    const entering = Effect.flatMapEager(loading, (loaded) =>
      Effect.flatMapEager(authenticate(credential, loaded.caller, loaded.failures, failureKeys), (actor) =>
        admitActor(site, actor, loaded, origin, about)
      )
    )
    if (credential._tag !== "Password") return entering
    return Effect.flatMap(PasswordHasher, (hasher) => hasher.inTurn(failureKeys, entering))
  })
}

/** Admits an authenticated actor if the site's sign-in rules allow the account. */
const admitActor = <K extends LoadedKind>(
  site: SiteSettings["Service"],
  actor: Actor,
  loaded: LoadedFacts<K>,
  { address, changesPassword, forVisitors, sudo }: EntryOrigin,
  about: Target<K>
): Effect.Effect<EnteredActor<K>, AccessRefused | SudoUserNotFound> => {
  const { switches } = site
  const mustChangePassword = actor.facts.mustChangePassword && changesPassword !== true
  const known = siteFactsOf(switches, actor.facts)
  const strictSignIn = known.strictSignIn && forVisitors !== true
  const decision = admit({ ...known, mustChangePassword, strictSignIn, sudo: sudo !== undefined })
  if (!decision.allowed) return Effect.fail(new AccessRefused({ decision }))
  if (sudo !== undefined && (loaded.sudo === undefined || loaded.sudo.system))
    return Effect.fail(new SudoUserNotFound({ name: sudo }))
  const who = loaded.sudo === undefined ? actor : actingAs(actor, loaded.sudo)
  const here = actorFactsHere({ ...who, via: { ...who.via, address: NetAddress.formatIp(address) } }, site)
  return Effect.mapEager(here, (actor): EnteredActor<K> => ({ actor, switches, about, found: loaded.found }))
}

/**
 * Authenticates a caller: the first four steps of the refusal order, with all facts for the others loaded.
 *
 * Source: decisions, "Order on a request". One query finds the caller, the user to act as, and the resource.
 */
export const enterAs = <K extends LoadedKind>(presented: Credential, origin: EntryOrigin, about: Target<K>) =>
  Effect.flatMap(SiteSettings, (site) => letIn(site, presented, origin, about))

/** Enters as a user that the embedding program authenticated; checks the account as on any request. */
export const actAs = <K extends LoadedKind>(name: string, about: Target<K>, address = nowhere) =>
  enterAs(signedInBefore(name), { address }, about)

const nowhere = NetAddress.ipFromStringUnsafe("0.0.0.0")

const actingAs = (actor: Actor, user: NonNullable<Actor["user"]>): Actor => ({
  ...actor,
  facts: callerFacts(user, actor.scope, { withPassword: actor.facts.withPassword, sudo: true }),
  userId: user.id,
  user,
  task: undefined
})

/** Reports that the resource was renamed, to a caller who sees it. */
export class Renamed extends Data.TaggedError("Renamed")<{ readonly to: Renames }> {}

/** Decides an action on the entered facts. */
const decideEntered = <A extends LoadedAction>(
  action: A,
  entered: EnteredActor<LoadedKind>
): Proof<A> | Refused | Renamed => {
  const { about, actor, found, switches } = entered
  // Each resource type's rule takes the facts of its type, which the compiler cannot follow through a union.
  const kind = kinds[about.kind] as ResourceDecision<"user">
  const user = found as LoadedResources["user"] | undefined
  const facts = (viewer: Actor, loaded: typeof user) => kind.facts(viewer, switches, loaded, about as Target<"user">)
  const resource = (viewer: Actor, loaded: typeof user, known: Parameters<typeof kind.resource>[2]) =>
    kind.resource(viewer, loaded, known, about as Target<"user">)
  const answer = decideOn(policyOf(action as "user.read", switches), { facts, resource }, actor, user)
  const renames = kind.renames(user)
  if (Object.keys(renames).length > 0 && (answer.allowed || isPastVisibility(action, switches, answer)))
    return new Renamed({ to: renames })
  return answer as Proof<A> | Refused
}

const early: ReadonlyArray<string> = ["scope", "visibility"]

/** Whether a refusal came after the visibility check passed. */
const isPastVisibility = (action: LoadedAction, switches: SwitchFacts, refused: Refused): boolean => {
  const { checks } = policyOf(action as "user.read", switches)
  const refusing = checks.findIndex((check) => check.id === refused.check)
  const seeing = checks.findLastIndex((check) => early.includes(check.stage))
  return refusing > seeing
}

/** Returns the proof that an action is allowed, or fails with the answer of the refusing rule. */
export const authorize = <A extends LoadedAction>(
  action: A,
  entered: EnteredActor<KindOf<A> & LoadedKind>
): Effect.Effect<Proof<A>, AccessRefused | Renamed> => {
  const answer = decideEntered(action, entered as EnteredActor<LoadedKind>)
  if (answer instanceof Renamed) return Effect.fail(answer)
  return decided(
    action,
    answer,
    answer.allowed ? Effect.succeed(answer) : Effect.fail(new AccessRefused({ decision: answer }))
  )
}

/** The event subjects of a refused request, as far as the caller may know of them. */
const subjectsOf = (kind: LoadedKind, found: unknown): EventSubjects => {
  const parts = (found ?? {}) as EventSubjects & {
    readonly user?: EventSubjects["user"] | { readonly user: EventSubjects["user"] }
  }
  if (kind === "organizationUser") {
    const organization = (found as LoadedResources["organizationUser"] | undefined)?.organization
    return organization === undefined ? {} : { organization: organization.organization }
  }
  if (kind === "teamRepository") {
    const both = found as LoadedResources["teamRepository"] | undefined
    return both?.team === undefined ? {} : { team: both.team.team, organization: both.team.organization }
  }
  if (kind === "packageOwner") {
    const owner = (found as LoadedResources["packageOwner"] | undefined)?.owner
    return owner === undefined ? {} : { [owner.kind]: owner }
  }
  return parts as EventSubjects
}

/**
 * Returns the proof that an action is allowed, and logs a refusal of an authenticated user.
 *
 * Logs a hidden resource without its name, like a missing one (invariant I9).
 */
export const authorizeAndAudit = <A extends LoadedAction>(action: A, entered: EnteredActor<KindOf<A> & LoadedKind>) =>
  Effect.tapError(authorize(action, entered), (refusal) => {
    const { about, actor, found } = entered as EnteredActor<LoadedKind>
    if (refusal._tag !== "AccessRefused" || actor.user === undefined) return Effect.void
    const { decision } = refusal
    const seen = decision.answer.status === notFound.status ? {} : subjectsOf(about.kind, found)
    return recordRefusal(actor, action, seen, decision.check)
  })

/** The actions on the site or the caller. */
export type SiteAction = { [A in LoadedAction]: KindOf<A> extends "site" ? A : never }[LoadedAction]

/** Returns the proof of a site action that the server performs on its own behalf, such as the first start. */
export const system = <A extends SiteAction>(action: A): Proof<A> => {
  const actor: Actor = { ...nobody, facts: { ...ordinary, siteAdmin: true }, via: { kind: "system", address: "" } }
  const answer = decideEntered(action, { actor, switches: newSiteSwitches, about: { kind: "site" }, found: {} })
  if (answer instanceof Renamed || !answer.allowed) throw new Error(`the service itself may not do \`${action}\``)
  return answer
}
