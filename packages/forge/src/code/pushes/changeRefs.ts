import type { GitId, ObjectId, RefChange } from "@slipway/domain/forge/code"
import { GitWriter, RefName } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import type { Details } from "@slipway/domain/forge/identity"
import { Effect, Schema } from "effect"
import * as Jobs from "../../base/jobs/jobWorker.ts"
import { addedObjects, type LargestBlob } from "./addedObjects.ts"
import { decide, decideRefs, gitOf, type PushAction, pushedRef, reportedRefs } from "./Pushes.ts"

export type { LargestBlob } from "./addedObjects.ts"

/** Reports that a branch or tag protection refuses a ref change, with the messages for a git client. */
export class RefChangeRefused extends Schema.TaggedError<RefChangeRefused>()("RefChangeRefused", {
  messages: Schema.Array(Schema.String)
}) {}

/** Reports that a ref cannot be changed: it has changed at the same time, or its name conflicts with another ref. */
export class RefMoved extends Schema.TaggedError<RefMoved>()("RefMoved", { ref: Schema.String }) {}

/** A change of one ref, for which all objects already exist in the repository. */
export interface WrittenChange extends RefChange {
  readonly before: ObjectId | undefined
  readonly after: ObjectId | undefined
}

/** Returns the records of ref changes with existing objects, without checking branch and tag protections. */
export const writtenRefs = Effect.fnUntraced(function* (id: GitId, changes: ReadonlyArray<WrittenChange>) {
  const proposed = { changes, options: [], objects: yield* addedObjects(id, undefined) }
  return yield* Effect.forEach(changes, (change, at) => pushedRef(change, proposed, at < reportedRefs))
})

/** Fails if a branch or tag protection refuses one of the ref changes. Nothing is changed. */
export const askRules = Effect.fnUntraced(function* (
  proof: Proof<PushAction>,
  changes: ReadonlyArray<WrittenChange>,
  defaultBranch?: string
) {
  const objects = yield* addedObjects(gitOf(proof), undefined)
  const { verdict } = yield* decideRefs(proof, { changes, options: [], objects }, defaultBranch)
  if (verdict.refused.size > 0) return yield* new RefChangeRefused({ messages: verdict.messages })
})

/**
 * Changes refs with the same rules, the same event and the same jobs as a push.
 *
 * All refs change, or none. Users must not be able to see the new objects before.
 */
export const changeRefs = Effect.fnUntraced(function* (
  proof: Proof<PushAction>,
  changes: ReadonlyArray<WrittenChange>,
  largest?: LargestBlob,
  defaultBranch?: string,
  details?: Details
) {
  const id = gitOf(proof)
  const writer = yield* GitWriter
  const objects = yield* addedObjects(id, largest)
  const { begun, verdict } = yield* decide(proof, { changes, options: [], objects }, defaultBranch, details)
  const settled = Jobs.runNow(begun?.job)
  if (verdict.refused.size > 0 || begun === undefined) {
    yield* settled
    return yield* new RefChangeRefused({ messages: verdict.messages })
  }
  const updates = changes.map(({ after, before, ref }) => ({
    ref: RefName.make(ref),
    from: before ?? null,
    to: after ?? null
  }))
  yield* writer.updateRefs(id, updates).pipe(
    Effect.catchTag("RefsNotMoved", ({ refs }) => new RefMoved({ ref: refs[0] ?? changes[0]?.ref ?? "" })),
    // The result is known now, in any case.
    Effect.ensuring(settled)
  )
})
