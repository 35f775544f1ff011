import { Transaction } from "@slipway/domain"
import { type AttachedTo, type Attachment, AttachmentNotFound, AttachmentStore } from "@slipway/domain/forge/code"
import type { Release } from "@slipway/domain/forge/collaboration"
import type { LoadedAction, Proof } from "@slipway/domain/forge/entry"
import { signedInUser } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { record } from "../../base/events/record.ts"
import {
  attach,
  attachLink,
  change as changeOf,
  download as downloadOf,
  type Link,
  remove as removeOf,
  type Upload
} from "../../code/attachments/Attachments.ts"

const ofRelease = ({ id, repositoryId }: Release): AttachedTo => ({ repositoryId, kind: "release", id })

const recordAssets = (
  proof: Proof<`repository.release.asset.${"create" | "delete" | "edit"}`>,
  { id, name }: Pick<Attachment, "id" | "name">
) =>
  Effect.flatMap(Transaction, (transaction) =>
    transaction.run(
      record(proof as unknown as Proof<LoadedAction>, {
        details: { release: proof.resource.release.tag, attachment: id, name }
      })
    )
  )

const find = Effect.fnUntraced(function* (release: Release, id: number) {
  return (yield* (yield* AttachmentStore).find(ofRelease(release), id)) ?? (yield* new AttachmentNotFound({ id }))
})

/** Lists the files of a release. */
export const list = Effect.fnUntraced(function* ({ resource: { release } }: Proof<"repository.release.asset.list">) {
  return yield* (yield* AttachmentStore).list(ofRelease(release))
})

/** Reads the metadata of a release file. */
export const read = ({ resource: { release } }: Proof<"repository.release.asset.read">, id: number) => find(release, id)

/** Adds a file to a release. */
export const create = Effect.fnUntraced(function* <E, R>(
  proof: Proof<"repository.release.asset.create">,
  upload: Upload<E, R>
) {
  const asset = yield* attach(ofRelease(proof.resource.release), signedInUser(proof.resource).id, upload)
  yield* recordAssets(proof, asset)
  return asset
})

/** Adds a file at an external URL to a release. */
export const link = Effect.fnUntraced(function* (proof: Proof<"repository.release.asset.create">, input: Link) {
  const asset = yield* attachLink(ofRelease(proof.resource.release), signedInUser(proof.resource).id, input)
  yield* recordAssets(proof, asset)
  return asset
})

/** Renames a file of a release, or changes the URL of an external file. */
export const edit = Effect.fnUntraced(function* (
  proof: Proof<"repository.release.asset.edit">,
  id: number,
  change: { readonly name?: string | undefined; readonly url?: string | undefined }
) {
  const changed = yield* changeOf(ofRelease(proof.resource.release), id, change)
  if (change.name !== undefined || change.url !== undefined) yield* recordAssets(proof, changed)
  return changed
})

/** Deletes a file of a release with its bytes. */
export const remove = Effect.fnUntraced(function* (proof: Proof<"repository.release.asset.delete">, id: number) {
  const { release } = proof.resource
  const found = yield* find(release, id)
  yield* removeOf(ofRelease(release), id)
  yield* recordAssets(proof, found)
})

/** Returns the bytes of the newest release file with a name, or its external URL, and increases the download count. */
export const download = Effect.fnUntraced(function* (
  { resource: { release } }: Proof<"repository.release.read-by-tag">,
  name: string
) {
  const files = yield* (yield* AttachmentStore).list(ofRelease(release))
  const found = files.findLast((file) => file.name === name)
  if (found === undefined) return yield* new AttachmentNotFound({ id: name })
  return yield* downloadOf(found.uuid)
})
