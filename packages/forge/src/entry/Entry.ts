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

/** The parts of an HTTP request from which the actor is determined. */
export interface EntryRequest extends Presented {
  /** The name of the user to impersonate, from the query parameter `sudo` or else the header `Sudo`. */
  readonly sudo?: string | undefined
  /**
   * Whether the request changes the password of its caller. It is allowed even to a user who must change the password
   * first.
   */
  readonly changesPassword?: boolean | undefined
  /** Whether anonymous callers may perform the action even if the site requires sign-in. */
  readonly forVisitors?: boolean | undefined
}

/** Reports that access was refused, with the HTTP status and message of the rule. */
export class AccessRefused extends Data.TaggedError("AccessRefused")<{ readonly decision: Refused }> {}

/** Reports that the user to impersonate (`sudo`) does not exist. */
export class SudoUserNotFound extends Schema.TaggedError<SudoUserNotFound>()("SudoUserNotFound", {
  name: Schema.String
}) {}

/** An authenticated actor, and the loaded data of the request's resource. It is the input of `authorize`. */
export interface EnteredActor<K extends LoadedKind> {
  readonly actor: Actor
  readonly switches: SwitchFacts
  readonly about: Target<K>
  readonly found: LoadedResources[K] | undefined
}

/** Returns whether a user who must change the password first may perform an action. */
export const isPasswordChange = (action: LoadedAction): boolean => action === "account.password.set"

const forVisitors: ReadonlySet<LoadedAction> = new Set([
  "account.create",
  "account.password-reset.create",
  "account.password-reset.finish"
] as const)

/**
 * Returns whether anonymous callers may perform an action even if the site requires sign-in: sign-up and password
 * reset.
 */
export const isForVisitors = (action: LoadedAction): boolean => forVisitors.has(action)

/** Where a credential comes from: the network address, the user to impersonate, and properties of the action. */
export interface EntryOrigin {
  readonly address: NetAddress.IpAddress
  /** The name of the user to impersonate (`sudo`). */
  readonly sudo?: string | undefined
  /**
   * Whether the request changes the password of its caller. It is allowed even to a user who must change the password
   * first.
   */
  readonly changesPassword?: boolean | undefined
  /** Whether anonymous callers may perform the action even if the site requires sign-in. */
  readonly forVisitors?: boolean | undefined
}

const originOf = (request: EntryRequest, settings: SignInSettings): EntryOrigin => ({
  address: addressOf(request, settings),
  sudo: request.sudo,
  changesPassword: request.changesPassword,
  forVisitors: request.forVisitors
})

/**
 * Returns the credential of a request: the user identified by a custom authenticator, otherwise the credential in the
 * request.
 */
const credentialSent = ({ callerOf }: Authenticating, request: EntryRequest, settings: SignInSettings) =>
  Effect.mapEager(callerOf(request), (name) =>
    name === undefined ? credentialOf(request, settings) : signedInBefore(name)
  )

const signedInBefore = (name: string): Credential => ({ _tag: "ProxyUser", name })

/** Authenticates the caller of an HTTP request, and loads the resource. The result is the input of `authorize`. */
export const enter = <K extends LoadedKind>(request: EntryRequest, about: Target<K>) =>
  Effect.contextWith((services: Context.Context<SiteSettings>) => {
    const site = Context.get(services, SiteSettings)
    const sent = credentialSent(Context.get(services, Authenticator), request, site.signIn)
    return Effect.flatMapEager(sent, (credential) => letIn(site, credential, originOf(request, site.signIn), about))
  })

/**
 * Authenticates the caller of a long-running request again, with current facts.
 *
 * A password or a signature is not verified again, because one-time codes and signatures can be used only once.
 * Everything else is checked again.
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

/**
 * Loads a second resource that a request names in addition to the one in its path. The result is the input of
 * `authorize`.
 */
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

/** Authorizes an action of the actor on a resource other than that of the request, with current facts. */
export const authorizeElsewhere = <A extends LoadedAction>(
  action: A,
  actor: Actor,
  about: Target<KindOf<A> & LoadedKind>
) => Effect.flatMap(authorizeSecondResource(actor, about), (entered) => authorize(action, entered))

/** The loaded data for an anonymous request to the site itself, which needs no query. */
const nothingLoaded = Effect.succeed({ caller: undefined, failures: [], sudo: undefined, found: undefined })

type Authentication = ReturnType<typeof signerOf> | ReturnType<typeof authenticate> | ReturnType<typeof callerKeyOf>

/** The errors with which the authentication of a caller fails. */
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

/**
 * Fails if the site's sign-in rules do not allow the account of an authenticated actor, or if the user to impersonate
 * does not exist.
 */
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
 * Authenticates a caller by a credential. These are the first four of the steps that can refuse a request, in the order
 * defined in the decisions ("Order on a request").
 *
 * One query loads the caller, the user to impersonate, and the resource.
 */
export const enterAs = <K extends LoadedKind>(presented: Credential, origin: EntryOrigin, about: Target<K>) =>
  Effect.flatMap(SiteSettings, (site) => letIn(site, presented, origin, about))

/** Authenticates a user that the host program has already identified. The account is checked as for any request. */
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

/** Reports that the resource was renamed, with its current names. The caller can see the resource. */
export class Renamed extends Data.TaggedError("Renamed")<{ readonly to: Renames }> {}

/** Decides whether an actor may perform an action on a loaded resource. */
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

/**
 * Returns whether an action was refused after the check that the caller can see the resource. Then the response may
 * reveal that it exists.
 */
const isPastVisibility = (action: LoadedAction, switches: SwitchFacts, refused: Refused): boolean => {
  const { checks } = policyOf(action as "user.read", switches)
  const refusing = checks.findIndex((check) => check.id === refused.check)
  const seeing = checks.findLastIndex((check) => early.includes(check.stage))
  return refusing > seeing
}

/**
 * Authorizes an action on a loaded resource. Returns the proof, or fails with the response of the rule that refused it.
 */
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

/** Returns the resources to record with a refused request; only those that the caller can know. */
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
 * Authorizes an action on a loaded resource, and records the refusal of a signed-in user in the audit log.
 *
 * A hidden resource is recorded without its name, like a missing one (invariant I9).
 */
export const authorizeAndAudit = <A extends LoadedAction>(action: A, entered: EnteredActor<KindOf<A> & LoadedKind>) =>
  Effect.tapError(authorize(action, entered), (refusal) => {
    const { about, actor, found } = entered as EnteredActor<LoadedKind>
    if (refusal._tag !== "AccessRefused" || actor.user === undefined) return Effect.void
    const { decision } = refusal
    const seen = decision.answer.status === notFound.status ? {} : subjectsOf(about.kind, found)
    return recordRefusal(actor, action, seen, decision.check)
  })

/** The actions on the site or on the caller's own account. */
export type SiteAction = { [A in LoadedAction]: KindOf<A> extends "site" ? A : never }[LoadedAction]

/** Returns the proof for an action that the service performs itself, such as creating the first administrator. */
export const system = <A extends SiteAction>(action: A): Proof<A> => {
  const actor: Actor = { ...nobody, facts: { ...ordinary, siteAdmin: true }, via: { kind: "system", address: "" } }
  const answer = decideEntered(action, { actor, switches: newSiteSwitches, about: { kind: "site" }, found: {} })
  if (answer instanceof Renamed || !answer.allowed) throw new Error(`the service itself may not do \`${action}\``)
  return answer
}
