import type { OwnedPage } from "@slipway/domain"
import { makeSecret, now } from "@slipway/domain"
import type { Repository } from "@slipway/domain/forge/code"
import { problemOfPattern } from "@slipway/domain/forge/code"
import type { LoadedAction, Proof } from "@slipway/domain/forge/entry"
import type { Actor, Organization } from "@slipway/domain/forge/identity"
import { signedInUser } from "@slipway/domain/forge/identity"
import {
  type ContentType,
  eventsOf,
  type Hook,
  type HookEventWord,
  HookInvalid,
  type HookLook,
  HookNotFound,
  type HookReach,
  type HookType,
  hookQueues,
  hooks,
  mostHooks,
  splitAddress,
  TooManyHooks
} from "@slipway/domain/forge/integrations"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { lockHolder } from "../../base/locks/lockHolder.ts"
import { sealHookSecret } from "./secrets.ts"

type Placed<Verb extends string> = Proof<
  Extract<LoadedAction, `${"repository" | "organization" | "account" | "admin"}.hook.${Verb}`>
>

interface Resource {
  readonly actor: Actor
  readonly repository?: Repository
  readonly organization?: Organization
}

/** The scope of webhooks: a repository, an organization, a user or the site. */
export interface HookScope {
  readonly places: ReadonlyArray<HookReach>
  readonly at: Pick<Hook, "repositoryId" | "organizationId" | "userId">
}

const nowhere = { repositoryId: null, organizationId: null, userId: null }

/** Returns the webhook scope of an authorized action, from its proof (the result of the authorization). */
export const scopeOf = (proof: { readonly action: string; readonly resource: unknown }): HookScope => {
  const resource = proof.resource as Resource
  const [area] = proof.action.split(".")
  if (area === "repository" && resource.repository !== undefined) {
    return { places: ["repository"], at: { ...nowhere, repositoryId: resource.repository.id } }
  }
  if (area === "organization" && resource.organization !== undefined) {
    return { places: ["organization"], at: { ...nowhere, organizationId: resource.organization.id } }
  }
  if (area === "account") return { places: ["user"], at: { ...nowhere, userId: signedInUser(resource).id } }
  return { places: ["system", "default"], at: nowhere }
}

const filterOf = ({ at, places }: HookScope) => ({
  reach: { in: places },
  ...Object.fromEntries(Object.entries(at).filter(([, id]) => id !== null))
})

/** Lists the webhooks of a scope. */
export const listIn = Effect.fnUntraced(function* (scope: HookScope, page: OwnedPage) {
  return yield* (yield* hooks.store).list({}, page, { filter: filterOf(scope) })
})

/** Finds a webhook in its scope; an id of another scope is reported as missing (invariant I6). */
export const findIn = Effect.fnUntraced(function* ({ at, places }: HookScope, id: number) {
  const found = yield* (yield* hooks.store).find({}, id)
  const isThere =
    found !== undefined &&
    places.includes(found.reach) &&
    found.repositoryId === at.repositoryId &&
    found.organizationId === at.organizationId &&
    found.userId === at.userId
  return isThere ? found : yield* new HookNotFound({ id })
})

/** The fields of a webhook; in an update, omitted fields stay unchanged. */
export interface HookInput {
  readonly url?: string | undefined
  readonly contentType?: ContentType | undefined
  readonly look?: HookLook | undefined
  /** The signing secret; an empty text removes it. The same holds for `authorization`. */
  readonly secret?: string | undefined
  readonly authorization?: string | undefined
  readonly events?: ReadonlyArray<HookEventWord> | undefined
  readonly branchFilter?: string | undefined
  readonly active?: boolean | undefined
}

/** The fields of a new webhook. */
export interface NewHookInput extends HookInput {
  readonly type: HookType
  readonly url: string
  /** Whether a site webhook reports all events; otherwise it is a template that is copied to new repositories. */
  readonly system?: boolean | undefined
}

const longestUrl = 2_000

const urlProblem = (text: string): string | undefined => {
  if (text.length > longestUrl) return `must have at most ${longestUrl} characters`
  const isAddress = /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && URL.canParse(text)
  return isAddress ? undefined : "must be an address that begins with http:// or https://"
}

const checkInput = Effect.fnUntraced(function* ({ authorization, branchFilter, secret, url }: HookInput) {
  const problem = url === undefined ? undefined : urlProblem(url)
  if (problem !== undefined) return yield* new HookInvalid({ field: "config.url", problem })
  if (authorization !== undefined && !/^[\x20-\x7e]{0,2000}$/.test(authorization)) {
    return yield* new HookInvalid({ field: "authorization_header", problem: "must be a valid header value" })
  }
  if ((secret?.length ?? 0) > 1_000) {
    return yield* new HookInvalid({ field: "config.secret", problem: "must have at most 1000 characters" })
  }
  const wrongFilter = problemOfPattern(branchFilter ?? "")
  if (wrongFilter !== undefined) return yield* new HookInvalid({ field: "branch_filter", problem: wrongFilter })
})

/** A Slack channel name, with or without a leading `#`. */
const slackChannel = /^#?[a-z0-9_-]{1,80}$/

/** Checks the Slack channel, which is required for Slack messages. */
const checkLook = ({ channel = "" }: HookLook, type: HookType): Effect.Effect<void, HookInvalid> =>
  type !== "slack" || slackChannel.test(channel.trim())
    ? Effect.void
    : Effect.fail(
        new HookInvalid({
          field: "config.channel",
          problem:
            "must be a Slack channel: at most 80 lower-case letters, digits, - and _, with an optional # in front"
        })
      )

/**
 * Splits the URL of a webhook into the URL without credentials and the `Authorization` header.
 *
 * A user name and password in the URL become a basic authentication header; an explicit header takes precedence.
 */
const reached = Effect.fnUntraced(function* (text: string, said: string | undefined) {
  const split = splitAddress(text)
  const problem = "must have a username and a password that are valid in a URL"
  if (split === undefined) return yield* new HookInvalid({ field: "config.url", problem })
  return { url: split.url, authorization: said || (split.authorization ?? said) }
})

/** Returns the origin of a URL (scheme, host and port); an invalid URL is returned unchanged. */
export const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url)

const eventDetails = ({ id, type, url }: Hook) => ({ details: { hook: id, type, host: originOf(url) } })

const placeOf = ({ places: [first = "system"] }: HookScope, { system = false }: NewHookInput): HookReach =>
  first === "system" && !system ? "default" : first

/** Lists the webhooks of a repository, an organization, the caller or the site. */
export const list = Effect.fnUntraced(function* (proof: Placed<"list">, page: OwnedPage) {
  return yield* listIn(scopeOf(proof), page)
})

/** Reads a webhook. */
export const read = Effect.fnUntraced(function* (proof: Placed<"read">, id: number) {
  return yield* findIn(scopeOf(proof), id)
})

/** Creates a webhook; it receives only the events that its creator may read. */
export const create = audited(
  Effect.fnUntraced(function* (proof: Placed<"create">, input: NewHookInput) {
    yield* checkInput(input)
    yield* checkLook(input.look ?? {}, input.type)
    const scope = scopeOf(proof)
    const store = yield* hooks.store
    yield* lockHolder(scope.at)
    if ((yield* store.count({}, filterOf(scope))) >= mostHooks) return yield* new TooManyHooks({ most: mostHooks })
    const uuid = yield* makeSecret
    const at = yield* now
    const { authorization, url } = yield* reached(input.url, input.authorization)
    const hook = yield* Effect.orDie(
      store.insert({
        ...scope.at,
        reach: placeOf(scope, input),
        makerId: signedInUser(proof.resource).id,
        uuid,
        type: input.type,
        url,
        contentType: input.contentType ?? "json",
        look: input.look ?? {},
        secret: yield* sealHookSecret(uuid, "secret", input.secret, null),
        authorization: yield* sealHookSecret(uuid, "authorization", authorization, null),
        events: eventsOf(input.events ?? []),
        branchFilter: input.branchFilter ?? "",
        active: input.active ?? false,
        createdAt: at,
        updatedAt: at
      })
    )
    yield* Effect.orDie((yield* hookQueues.store).insert({ hookId: hook.id, dueAt: null, host: originOf(hook.url) }))
    return hook
  }),
  (hook) => eventDetails(hook)
)

/**
 * Edits a webhook; the editor becomes responsible for it.
 *
 * A new URL without new credentials drops the old ones, so that redirecting a webhook does not disclose its secret.
 */
export const edit = audited(
  Effect.fnUntraced(function* (proof: Placed<"edit">, id: number, input: HookInput) {
    yield* checkInput(input)
    const present = yield* findIn(scopeOf(proof), id)
    const look = { ...present.look, ...input.look }
    // A webhook of an earlier release may lack a channel: it is required only on change.
    if (input.look?.channel !== undefined) yield* checkLook(look, present.type)
    const { authorization: said, url } = yield* reached(input.url ?? present.url, input.authorization)
    const authorization = originOf(url) === originOf(present.url) ? present.authorization : null
    const changed = yield* Effect.orDie(
      (yield* hooks.store).patch({}, id, {
        makerId: signedInUser(proof.resource).id,
        url,
        contentType: input.contentType ?? present.contentType,
        look,
        secret: yield* sealHookSecret(present.uuid, "secret", input.secret, present.secret),
        authorization: yield* sealHookSecret(present.uuid, "authorization", said, authorization),
        events: input.events === undefined ? present.events : eventsOf(input.events),
        branchFilter: input.branchFilter ?? present.branchFilter,
        active: input.active ?? present.active,
        updatedAt: yield* now
      })
    )
    const queues = yield* hookQueues.store
    const queue = yield* queues.findBy("hook", { hookId: present.id })
    if (queue !== undefined) yield* Effect.orDie(queues.patch({}, queue.id, { host: originOf(url) }))
    return changed ?? (yield* new HookNotFound({ id }))
  }),
  (hook) => eventDetails(hook)
)

const removed = audited(
  Effect.fnUntraced(function* (proof: Placed<"delete">, id: number) {
    yield* findIn(scopeOf(proof), id)
    return (yield* (yield* hooks.store).remove({}, id)) ?? (yield* new HookNotFound({ id }))
  }),
  (hook) => eventDetails(hook)
)

/** Removes a webhook with its deliveries. */
export const remove = (proof: Placed<"delete">, id: number) => Effect.asVoid(removed(proof, id))
