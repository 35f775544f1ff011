import { now, Transaction } from "@slipway/domain"
import { JobLease } from "@slipway/domain/forge/background"
import { isProposal, type ProposedPush, PushStore, type PushVerdict } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { eventOf } from "../../base/events/record.ts"
import { addJob } from "../../base/jobs/addJob.ts"
import { type AllowedPush, type DecidedPush, noRoom, tooLarge } from "./Pushes.ts"

const refuseAll = ({ changes }: ProposedPush, why: string): PushVerdict => ({
  refused: new Set(changes.map(({ ref }) => ref)),
  messages: [why]
})

/** Returns the refusal of a push to `refs/for/` by a client without permission to open pull requests. */
export const mayNotPropose = (proposed: ProposedPush): PushVerdict =>
  refuseAll(proposed, "you may not open pull requests in this repository")

/** Returns whether a push contains a ref below `refs/for/`. */
export const hasProposal = ({ changes }: ProposedPush): boolean => changes.some(({ ref }) => isProposal(ref))

/**
 * Decides a push to `refs/for/`, which proposes a pull request, by its form and by the size limits. The pushed objects
 * are not visible yet.
 *
 * Branch protections apply later, when the pull request is merged. The push is recorded without refs, because it
 * changes no branch; its size counts as pending until the push is completed.
 */
export const decideProposal = Effect.fnUntraced(function* (proof: Proof<"pull.create">, proposed: ProposedPush) {
  const refusal = (why: string): DecidedPush => ({ verdict: refuseAll(proposed, why), begun: undefined })
  const [change] = proposed.changes
  // One ref at a time: an atomic push must not leave one of several pull requests.
  if (change === undefined || proposed.changes.length > 1) {
    return refusal("push one ref below refs/for/, and nothing else with it")
  }
  if (change.after === undefined) return refusal("a ref below refs/for/ can't be deleted: close the pull request")
  const large = yield* tooLarge(proposed)
  if (large !== undefined) return refusal(large)
  const { actor, repository } = proof.resource
  const at = yield* now
  const done = { outcome: "done", refusedBy: null, details: {} } as const
  const event = eventOf(actor, "git.push", { repository }, at, done)
  const size = yield* proposed.objects.size
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const full = yield* noRoom(proof, size)
      if (full !== undefined) return refusal(full)
      const push = yield* (yield* PushStore).begin({ repositoryId: repository.id, at, refs: [], size, event })
      const job = yield* addJob({ _tag: "SettlePush", pushId: push.id }, yield* JobLease)
      const verdict: PushVerdict = { refused: new Set(), messages: [] }
      return { verdict, begun: { push, job } satisfies AllowedPush } satisfies DecidedPush
    })
  )
})
