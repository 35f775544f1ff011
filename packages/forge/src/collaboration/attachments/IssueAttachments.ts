import { Transaction } from "@slipway/domain"
import {
  type AttachedTo,
  type Attachment,
  AttachmentNotFound,
  AttachmentStore,
  RepositoryStore
} from "@slipway/domain/forge/code"
import { type Comment, type Issue, issues } from "@slipway/domain/forge/collaboration"
import type { LoadedAction, Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { record } from "../../base/events/record.ts"
import { attach, change, remove as removeOf, type Upload } from "../../code/attachments/Attachments.ts"
import * as Entry from "../../entry/Entry.ts"
import { authorOf } from "../issues/views.ts"

type Acts<Verb extends string> =
  | Proof<`issue.asset.${Verb}` & LoadedAction>
  | Proof<`issue.comment.asset.${Verb}` & LoadedAction>

/** Returns the comment or the issue to which a proof (result of authorization) allows to attach files. */
const ofProof = ({
  resource
}: {
  readonly resource: { readonly issue: Issue; readonly comment?: Comment }
}): AttachedTo => {
  const { comment, issue } = resource
  return comment === undefined
    ? { repositoryId: issue.repositoryId, kind: "issue", id: issue.id }
    : { repositoryId: issue.repositoryId, kind: "comment", id: comment.id }
}

/** Lists the attachments of an issue or a comment. */
export const list = Effect.fnUntraced(function* (proof: Acts<"list">) {
  return yield* (yield* AttachmentStore).list(ofProof(proof))
})

/** Reads an attachment of an issue or a comment. */
export const read = Effect.fnUntraced(function* (proof: Acts<"read">, id: number) {
  return (yield* (yield* AttachmentStore).find(ofProof(proof), id)) ?? (yield* new AttachmentNotFound({ id }))
})

const auditedChange = <A extends LoadedAction>(proof: Proof<A>, { id, name }: Pick<Attachment, "id" | "name">) =>
  Effect.flatMap(Transaction, (transaction) =>
    transaction.run(record(proof as unknown as Proof<LoadedAction>, { details: { attachment: id, name } }))
  )

/** Attaches a file to an issue or a comment. */
export const create = Effect.fnUntraced(function* <E, R>(proof: Acts<"create">, upload: Upload<E, R>) {
  const attachment = yield* attach(ofProof(proof), authorOf(proof.resource.actor), upload)
  yield* auditedChange(proof, attachment)
  return attachment
})

/** Renames an attachment of an issue or a comment. */
export const edit = Effect.fnUntraced(function* (proof: Acts<"edit">, id: number, name: string | undefined) {
  const renamed = yield* change(ofProof(proof), id, { name })
  if (name !== undefined) yield* auditedChange(proof, renamed)
  return renamed
})

/** Deletes an attachment of an issue or a comment with its bytes. */
export const remove = Effect.fnUntraced(function* (proof: Acts<"delete">, id: number) {
  yield* removeOf(ofProof(proof), id)
  yield* auditedChange(proof, { id: id as Attachment["id"], name: "" })
})

const target = Effect.fnUntraced(function* ({ to }: Attachment) {
  const repository = yield* (yield* RepositoryStore).find(to.repositoryId)
  if (repository === undefined) return undefined
  const at = { owner: repository.owner.name, repository: repository.name }
  if (to.kind === "comment") {
    return { action: "issue.comment.asset.read", about: { kind: "comment", ...at, keys: { id: to.id } } } as const
  }
  if (to.kind !== "issue") return undefined
  const issue = yield* (yield* issues.store).find({ repositoryId: to.repositoryId }, to.id)
  if (issue === undefined) return undefined
  return { action: "issue.asset.read", about: { kind: "issue", ...at, keys: { index: issue.number } } } as const
})

/**
 * Authorizes a download of an attachment by its UUID, with the same rule as the API route that reads the attachment.
 *
 * Returns undefined if no attachment of an issue or comment has this UUID. Fails if the caller may not read it.
 */
export const admit = Effect.fnUntraced(function* (request: Entry.EntryRequest, uuid: string) {
  const found = yield* (yield* AttachmentStore).findByUuid(uuid)
  const meant = found === undefined ? undefined : yield* target(found)
  if (found === undefined || meant === undefined) {
    yield* Entry.enter(request, { kind: "site" })
    return undefined
  }
  if (meant.action === "issue.asset.read") {
    yield* Entry.authorize(meant.action, yield* Entry.enter(request, meant.about))
  } else {
    yield* Entry.authorize(meant.action, yield* Entry.enter(request, meant.about))
  }
  return found
})
