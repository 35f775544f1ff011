import { Effect, Stream } from "effect"
import type { Proof } from "../accounts/Actor.ts"
import * as Jobs from "../jobs/Jobs.ts"
import { type BegunPush, decide, gitOf } from "../pushes/Pushes.ts"
import { beginWiki } from "../wiki/beginWiki.ts"
import { type GitAnswer, type GitRequest, GitTransport, type PushVerdict } from "./GitTransport.ts"

/** What a client asks for, once it is known of which repository. */
export type ClientRequest = Pick<GitRequest, "exchange" | "input" | "protocol">

/** That a client may push, to a repository or to its wiki. */
export type ClientPush = Proof<"git.push"> | Proof<"git.wiki.push">

/** Gives a client what it lacks of a repository. */
export const fetch = Effect.fnUntraced(function* (
  proof: Proof<"git.fetch"> | Proof<"git.wiki.fetch">,
  request: ClientRequest,
  service: "upload-pack" | "upload-archive" = "upload-pack"
) {
  return yield* (yield* GitTransport).serve({ ...request, service, repository: gitOf(proof) })
})

/** Tells a client that is about to push what there is. */
export const beginPush = Effect.fnUntraced(function* (proof: ClientPush, request: ClientRequest) {
  if (proof.action === "git.wiki.push") yield* beginWiki(proof.resource.repository)
  return yield* (yield* GitTransport).serve({ ...request, service: "receive-pack", repository: gitOf(proof) })
})

const lost: PushVerdict["told"] = ["you may no longer push to this repository"]

/**
 * Takes what a client pushes, as far as the rules allow it.
 *
 * A pack takes its time to arrive, so that `again` is asked whether the caller may push when it has: access that was taken
 * away meanwhile is gone. What became of the push is recorded before the client hears the end.
 */
export const push = Effect.fnUntraced(function* <E, R>(
  proof: ClientPush,
  again: Effect.Effect<ClientPush, E, R>,
  request: ClientRequest
) {
  const { repository } = proof.resource
  if (proof.action === "git.wiki.push") yield* beginWiki(repository)
  const transport = yield* GitTransport
  let begun: BegunPush | undefined
  const settled = Effect.suspend(() => (begun === undefined ? Effect.void : Jobs.runNow(begun.job)))
  // Added first, so that it is done last: git has ended by then, however it did.
  yield* Effect.acquireRelease(Effect.void, () => settled)
  const scope = yield* Effect.scope
  const services = yield* Effect.context<Effect.Services<typeof settled> | R>()
  const answer = yield* transport.serve({
    ...request,
    service: "receive-pack",
    repository: gitOf(proof),
    decide: (proposed) =>
      Effect.gen(function* () {
        const present = yield* Effect.option(again)
        if (present._tag === "None" || present.value.resource.repository.id !== repository.id) {
          return { refused: new Set(proposed.changes.map(({ ref }) => ref)), told: lost }
        }
        const decided = yield* decide(present.value, proposed)
        begun = decided.begun
        if (begun !== undefined) yield* Effect.forkIn(Jobs.keep(begun.job), scope)
        return decided.verdict
      }).pipe(Effect.provideContext(services as never)) as Effect.Effect<PushVerdict>
  })
  const end = Effect.andThen(answer.exitCode, Effect.provideContext(settled, services))
  return { ...answer, output: Stream.concat(answer.output, Stream.drain(Stream.fromEffect(end))) } satisfies GitAnswer
})
