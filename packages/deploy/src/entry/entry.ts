import type { Refused } from "@slipway/access"
import { decided } from "@slipway/domain"
import type { LoadedThings } from "@slipway/domain/deploy/entry"
import {
  type Action,
  type Caller,
  decideAccess,
  type KindOf,
  notAuthorized,
  presence,
  requireApi,
  rowOf,
  systemCaller
} from "@slipway/domain/deploy/entry"
import { teamOf } from "@slipway/domain/deploy/identity"
import { Effect, Result } from "effect"
import { record } from "../identity/audit/record.ts"
import { kinds, type NamedInPath } from "./kinds/index.ts"

export type { NamedInPath } from "./kinds/index.ts"

type Kinds = typeof kinds
/** The errors for a resource that a request path names but that does not exist. */
export type PathResourceNotFound =
  | ReturnType<Kinds[keyof Kinds]["missing"]>
  | Effect.Error<ReturnType<Kinds[keyof Kinds]["find"]>>
/** The stores that are needed to load the resources in request paths. */
export type PathResourceStores = Effect.Services<ReturnType<Kinds[keyof Kinds]["find"]>>

interface KindRow {
  readonly find: (
    named: NamedInPath,
    caller: Caller
  ) => Effect.Effect<object | undefined, PathResourceNotFound, PathResourceStores>
  readonly missing: () => PathResourceNotFound
}

const platform: Pick<KindRow, "find"> = { find: () => Effect.succeed({}) }

/** Records a denied request in the audit log, including a request for a hidden resource but not for a missing one. */
const recordDenial = (
  caller: Caller,
  action: Action,
  named: NamedInPath,
  { answer, check }: Refused,
  exists: boolean
) =>
  check === presence.id && !exists
    ? Effect.void
    : record(caller, "denied", {
        teamId: teamOf(caller.access),
        action,
        object: Object.values(named).at(-1)?.slice(0, longestObject).toWellFormed().replaceAll("\0", "") ?? null,
        detail: check === presence.id ? "hidden" : answer.message
      })

const longestObject = 100

/**
 * Loads the resource that a request path names, and authorizes an action on it. Returns the authorization proof, or
 * fails with the reason.
 *
 * Before it reads anything else of the request, it checks in this order: the API is enabled for the caller, the token
 * has the ability, the resource belongs to a team of the caller, and the caller's roles permit the action.
 */
export const authorizeNamed = Effect.fnUntraced(function* <A extends Action>(
  caller: Caller,
  action: A,
  named: NamedInPath
) {
  yield* requireApi(caller, action)
  const { on } = rowOf(action)
  const kind: Pick<KindRow, "find"> & Partial<KindRow> = on === "platform" ? platform : kinds[on]
  const found = yield* Effect.result(kind.find(named, caller))
  const thing = Result.getOrUndefined(found)
  const decision = decideAccess(caller, action, thing as LoadedThings[KindOf<A>] | undefined)
  yield* decided(action, decision, Effect.void)
  if (decision.allowed) return decision
  yield* recordDenial(caller, action, named, decision, thing !== undefined)
  if (decision.check !== presence.id || kind.missing === undefined) return yield* notAuthorized(action, decision)
  return yield* Effect.fail(Result.isFailure(found) ? found.failure : kind.missing())
})

/** Returns the authorization proof for an action of the platform itself on a resource. */
export const systemOn = <A extends Action>(action: A, named: NamedInPath) =>
  Effect.catchTag(authorizeNamed(systemCaller, action, named), "NotAuthorized", Effect.die)
