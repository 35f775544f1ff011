import { HookSender, logOutages, now, Transaction, timeIn } from "@slipway/domain"
import { SiteSettings } from "@slipway/domain/forge/base"
import { OrganizationStore, UserStore } from "@slipway/domain/forge/identity"
import {
  type Hook,
  type HookDelivery,
  type HookId,
  type HookQueue,
  hookDeliveries,
  hookQueues,
  hooks
} from "@slipway/domain/forge/integrations"
import { Cause, Duration, Effect, Schedule } from "effect"
import { NetAddress } from "effect/net"
import * as Entry from "../../entry/Entry.ts"
import { dispatch } from "./dispatch.ts"
import { requestOf, shownRequest } from "./request.ts"
import { openHookSecret } from "./secrets.ts"

/** The lease of a worker on a queue; one delivery takes less time. */
const lease = Duration.seconds(30)
/** The retry delays after the first to fifth failure; after one more failure a delivery is not retried. */
const waits = [10, 60, 300, 1_800, 7_200].map(Duration.seconds)
/** How many deliveries a worker sends from one queue before it continues with other queues. */
const inTurn = 20
/** How many queues a process works on concurrently: in total, and, in `mostToHost`, for one target host. */
const concurrency = 64
const mostToHost = 4

const nowhere = NetAddress.ipv4Unspecified

/**
 * Returns why a webhook gets no more events; undefined if it still gets them (CVE-2026-58440, invariant I7).
 *
 * Checks that the webhook's creator may still sign in and still read the webhook.
 */
const withheld = Effect.fnUntraced(function* (hook: Hook) {
  const maker = hook.makerId === null ? undefined : yield* (yield* UserStore).find(hook.makerId)
  if (maker === undefined) return "the user who set the webhook was deleted"
  const credential = { _tag: "ProxyUser", name: maker.name } as const
  const asked = Effect.gen(function* () {
    if (hook.repositoryId !== null) {
      const about = { kind: "repository", id: hook.repositoryId } as const
      yield* Entry.authorize("repository.hook.read", yield* Entry.enterAs(credential, { address: nowhere }, about))
    } else if (hook.organizationId !== null) {
      const organization = yield* (yield* OrganizationStore).find(hook.organizationId)
      const about = { kind: "organization", organization: organization?.name ?? "" } as const
      yield* Entry.authorize("organization.hook.read", yield* Entry.enterAs(credential, { address: nowhere }, about))
    } else {
      const entered = yield* Entry.enterAs(credential, { address: nowhere }, { kind: "site" })
      yield* Entry.authorize(hook.userId === null ? "admin.hook.read" : "account.hook.read", entered)
    }
    return undefined
  })
  return yield* Effect.catch(asked, () => Effect.succeed(`${maker.name}, who set the webhook, can no longer read it`))
})

type Outcome = Pick<HookDelivery, "answer" | "reason" | "request" | "state">

const isWorthAnotherTry = (status: number): boolean =>
  status >= 500 || status === 408 || status === 425 || status === 429

/** Sends a delivery once, and returns the result; `waiting` means that a retry may help. */
const attempt = Effect.fnUntraced(function* (hook: Hook, delivery: HookDelivery) {
  const unsent = { request: null, answer: null }
  if (!hook.active) return { ...unsent, state: "withheld", reason: "the webhook is disabled" } satisfies Outcome
  if (!(yield* SiteSettings).switches.webhooks)
    return { ...unsent, state: "withheld", reason: "webhooks are disabled on this site" } satisfies Outcome
  const because = yield* withheld(hook)
  if (because !== undefined) return { ...unsent, state: "withheld", reason: because } satisfies Outcome
  const request = yield* requestOf(hook, delivery, {
    secret: yield* openHookSecret(hook, "secret"),
    authorization: yield* openHookSecret(hook, "authorization")
  })
  const shown = shownRequest(request)
  const outcome = (rest: Omit<Outcome, "request">): Outcome => ({ request: shown, ...rest })
  return yield* (yield* HookSender).send(request).pipe(
    Effect.map((answer) => {
      if (answer.status >= 200 && answer.status < 300) return outcome({ answer, state: "delivered", reason: "" })
      const reason =
        answer.status >= 300 && answer.status < 400
          ? "the receiver redirects, and redirects are not followed"
          : `the receiver responded with ${answer.status}`
      return outcome({ answer, state: isWorthAnotherTry(answer.status) ? "waiting" : "failed", reason })
    }),
    Effect.catchTag("HookUnsent", ({ because: reason, refused }) =>
      Effect.succeed(outcome({ answer: null, state: refused ? "failed" : "waiting", reason }))
    )
  )
})

/** Sends the first delivery of a queue; returns the queue's next due time, or undefined if it is empty. */
const sendNext = Effect.fnUntraced(function* (queue: HookQueue) {
  const deliveries = yield* hookDeliveries.store
  const queues = yield* hookQueues.store
  const hook = yield* (yield* hooks.store).find({}, queue.hookId)
  const scope = { hookId: queue.hookId }
  const { rows } = yield* deliveries.list(
    scope,
    { page: 1, perPage: 1 },
    { order: "oldest", filter: { state: "waiting" } }
  )
  const [delivery] = rows
  if (hook === undefined || delivery === undefined) {
    // Adding a delivery locks the queue: either it is seen here, or it finds the queue idle and wakes it.
    return yield* (yield* Transaction).run(
      Effect.gen(function* () {
        yield* queues.lock({}, queue.id)
        if ((yield* deliveries.count(scope, { state: "waiting" })) > 0) return yield* now
        yield* Effect.orDie(queues.patch({}, queue.id, { dueAt: null }))
        return undefined
      })
    )
  }
  const outcome = yield* attempt(hook, delivery)
  const attempts = delivery.attempts + (outcome.request === null ? 0 : 1)
  const wait = outcome.state === "waiting" ? waits[attempts - 1] : Duration.zero
  const dueAt = yield* timeIn(wait ?? Duration.zero)
  const state = wait === undefined ? "failed" : outcome.state
  yield* Effect.orDie(
    deliveries.patch(scope, delivery.id, {
      ...outcome,
      state,
      attempts,
      sentAt: outcome.request === null ? null : yield* now
    })
  )
  return dueAt
})

/** Sends the deliveries of a claimed queue in order, until it is empty, fails, or its turn ends. */
const sendQueue = Effect.fnUntraced(function* (queue: HookQueue) {
  const queues = yield* hookQueues.store
  for (let sent = 0; sent < inTurn; sent++) {
    const dueAt = yield* sendNext(queue)
    if (dueAt === undefined) return
    const isLater = dueAt > (yield* now)
    const nextAttempt = isLater || sent === inTurn - 1 ? dueAt : yield* timeIn(lease)
    yield* Effect.orDie(queues.patch({}, queue.id, { dueAt: nextAttempt }))
    if (isLater) return
  }
})

/** Takes a due queue unless another worker took it. */
const take = Effect.fnUntraced(function* ({ id }: HookQueue) {
  const queues = yield* hookQueues.store
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const present = yield* queues.lock({}, id)
      if (present === undefined || present.dueAt === null || present.dueAt > (yield* now)) return undefined
      return yield* Effect.orDie(queues.patch({}, id, { dueAt: yield* timeIn(lease) }))
    })
  )
})

/** Makes the set of queues that this process works on; `hasRoom` checks the limits in total and per target host. */
const makeBusy = () => {
  const busy = new Map<HookId, string>()
  const to = (host: string) => [...busy.values()].filter((each) => each === host).length
  return { busy, hasRoom: (host: string) => busy.size < concurrency && to(host) < mostToHost }
}

/** Starts to send the due queues; limits the queues per host, so that a slow host does not delay other hosts. */
const begin = Effect.fnUntraced(function* ({ busy, hasRoom }: ReturnType<typeof makeBusy>) {
  const queues = yield* hookQueues.store
  const { rows } = yield* queues.list(
    {},
    { page: 1, perPage: concurrency },
    { order: "due", filter: { dueAt: { before: yield* timeIn(Duration.millis(1)) } } }
  )
  const taken: Array<HookQueue> = []
  for (const due of rows) {
    if (busy.has(due.hookId)) continue
    if (hasRoom(due.host)) {
      const queue = yield* take(due)
      if (queue === undefined) continue
      busy.set(queue.hookId, queue.host)
      taken.push(queue)
    } else if (busy.size < concurrency) {
      // Moved behind the others, so that queues of other hosts are found.
      yield* Effect.orDie(queues.patch({}, due.id, { dueAt: yield* timeIn(Duration.seconds(2)) }))
    }
  }
  return taken.map((queue) =>
    sendQueue(queue).pipe(
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.logError(`a delivery of webhook ${queue.hookId} failed`, cause)
      ),
      Effect.ensuring(Effect.sync(() => busy.delete(queue.hookId)))
    )
  )
})

/** Queues deliveries for pending events and sends all due deliveries, then returns. */
export const runDue = Effect.gen(function* () {
  const busy = makeBusy()
  for (let isMore = true; isMore; ) {
    const dispatchedCount = yield* dispatch
    const begun = yield* begin(busy)
    yield* Effect.all(begun, { concurrency: "unbounded" })
    isMore = dispatchedCount > 0 || begun.length > 0
  }
})

/**
 * Queues deliveries for pending events and sends due deliveries, until it is interrupted; `every` is the polling
 * interval.
 */
export const worker = (every: Duration.Input = "1 second") =>
  Effect.gen(function* () {
    const busy = makeBusy()
    const logged = logOutages("webhook deliveries failed")
    return yield* Effect.gen(function* () {
      yield* dispatch
      for (const sending of yield* begin(busy)) yield* Effect.forkScoped(sending)
    }).pipe(logged, Effect.repeat(Schedule.spaced(every)))
  })
