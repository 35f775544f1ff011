import { now, Transaction } from "@slipway/domain"
import { NoticeStore } from "@slipway/domain/forge/background"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { Owner, Repository } from "@slipway/domain/forge/code"
import { nameMatcher, RepositoryStore } from "@slipway/domain/forge/code"
import { type QueuedHookEvent, queuedHookEvents } from "@slipway/domain/forge/events"
import {
  type Hook,
  HookPayloads,
  hookQueues,
  hooks,
  mostHooks,
  type Occurrence
} from "@slipway/domain/forge/integrations"
import { Cause, Effect } from "effect"
import { startLater } from "../../automation/workflows/startRuns.ts"
import { creations } from "../../base/events/queueHookEvents.ts"
import { enqueue } from "./HookDeliveries.ts"
import { type HookScope, listIn, originOf } from "./Hooks.ts"

const batch = 50
const page = { page: 1, perPage: mostHooks }
const nowhere = { repositoryId: null, organizationId: null, userId: null }

/** Returns the scopes in which webhooks receive an event: its repository if it has one, the owner and the site. */
const placesOf = (owner: Owner, repository: Repository | null): ReadonlyArray<HookScope> => [
  ...(repository === null
    ? []
    : [{ places: ["repository"], at: { ...nowhere, repositoryId: repository.id } } as const]),
  owner.kind === "organization"
    ? { places: ["organization"], at: { ...nowhere, organizationId: owner.id } }
    : { places: ["user"], at: { ...nowhere, userId: owner.id } },
  { places: ["system"], at: nowhere }
]

/** Returns whether a webhook is active, subscribes to an event, and its branch filter matches the event's branch. */
export const asksFor = (hook: Pick<Hook, "active" | "branchFilter" | "events">, occurrence: Occurrence): boolean =>
  hook.active &&
  hook.events.includes(occurrence.event) &&
  (occurrence.branch === undefined ||
    ["", "*", "**"].includes(hook.branchFilter) ||
    nameMatcher(hook.branchFilter)(occurrence.branch))

/** Copies the site's default webhooks to a new repository. */
const giveDefaults = Effect.fnUntraced(function* ({ id }: Repository) {
  const store = yield* hooks.store
  const { rows } = yield* listIn({ places: ["default"], at: nowhere }, page)
  if (rows.length === 0) return
  const at = yield* now
  const newHooks = yield* store.insertMany(
    rows.map(({ id: _, ...hook }) => ({ ...hook, reach: "repository", repositoryId: id, createdAt: at, updatedAt: at }))
  )
  yield* (yield* hookQueues.store).insertMany(
    newHooks.map(({ id: hookId, url }) => ({ hookId, dueAt: null, host: originOf(url) }))
  )
}, Effect.orDie)

/** Returns whether an event creates a repository that is not a fork. */
const isCreation = ({ event }: QueuedHookEvent): boolean =>
  creations.has(event.action) && event.details.fork === undefined

/** Finds the webhooks that receive an event, and queues a delivery for each of them. */
const handOut = Effect.fnUntraced(function* (queuedEvent: QueuedHookEvent) {
  const { packageVersion } = queuedEvent.before
  const present =
    queuedEvent.repository === null ? undefined : yield* (yield* RepositoryStore).find(queuedEvent.repository.id)
  if (present !== undefined && isCreation(queuedEvent)) yield* giveDefaults(present)
  if (present !== undefined) yield* startLater(queuedEvent, present)
  if (!(yield* SiteSettings).switches.webhooks) return
  const repository = present ?? queuedEvent.repository
  const owner = packageVersion?.owner ?? repository?.owner
  if (owner === undefined) return
  const lists = yield* Effect.forEach(placesOf(owner, repository), (scope) => listIn(scope, page))
  const all = lists.flatMap(({ rows }) => rows).filter(({ active }) => active)
  if (all.length === 0) return
  // The payload describes the repository at the time of the event, under its name then.
  const happened = yield* (yield* HookPayloads).render(queuedEvent, queuedEvent.repository ?? repository)
  const announcements = happened.flatMap((occurrence) => {
    const asking = all.filter((hook) => asksFor(hook, occurrence))
    const payload = asking.length === 0 ? "" : JSON.stringify(occurrence.payload)
    return asking.map(({ id }) => ({ ...occurrence, hookId: id, payload }))
  })
  yield* enqueue(announcements)
})

/**
 * Queues the deliveries of a pending event and removes the event, in one transaction; adds a site notice on failure.
 */
const dispatchEvent = Effect.fnUntraced(function* ({ id }: QueuedHookEvent) {
  const store = yield* queuedHookEvents.store
  const transaction = yield* Transaction
  yield* transaction.run(
    Effect.gen(function* () {
      // A concurrent worker holds the row's lock; after that, the row is deleted.
      const queuedEvent = yield* store.lock({}, id)
      if (queuedEvent === undefined) return
      yield* transaction.attempt(handOut(queuedEvent)).pipe(
        Effect.catchCause((cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.failCause(cause)
            : Effect.andThen(
                Effect.logError(`webhook deliveries could not be created for \`${queuedEvent.event.action}\``, cause),
                Effect.flatMap(Effect.all([NoticeStore, now]), ([notices, at]) =>
                  notices.add(
                    `webhook deliveries were not created for \`${queuedEvent.event.action}\`; see the log of the service`,
                    at
                  )
                )
              )
        )
      )
      yield* store.remove({}, id)
    })
  )
})

/** Queues deliveries for one batch of pending events, oldest first; returns the number of events. */
export const dispatch = Effect.gen(function* () {
  const { rows } = yield* (yield* queuedHookEvents.store).list({}, { page: 1, perPage: batch })
  for (const queuedEvent of rows) yield* dispatchEvent(queuedEvent)
  return rows.length
})
