import { now } from "@slipway/domain"
import {
  type Artifact,
  type ArtifactId,
  ArtifactNotFound,
  archiveType,
  artifacts
} from "@slipway/domain/forge/automation"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { BlobStore, blobKey } from "@slipway/domain/forge/base"
import { Effect, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { uuidOf } from "../../code/attachments/Attachments.ts"
import type { Download } from "../../code/contents/downloads.ts"

/** How long a signed link to the content of an artifact is valid. */
export const linksLast = "1 hour"

/** Returns the blob store key of an artifact's blob. */
export const keyOf = (blob: string) => blobKey("artifacts", blob)

/** Generates a random name for a new blob. */
export const freshBlob = Effect.flatMap(SecureRandom.SecureRandom, (random) =>
  Effect.map(random.randomBytes(16), uuidOf)
)

/** Finds a completely uploaded artifact of a repository by id. */
export const findDone = Effect.fnUntraced(function* (repositoryId: RepositoryId, id: number) {
  const found = yield* (yield* artifacts.store).find({ repositoryId }, id)
  return found?.done === true ? found : yield* new ArtifactNotFound()
})

/** Fails if the content of an artifact has expired. */
export const requireBytes = Effect.fnUntraced(function* (artifact: Artifact) {
  return artifact.expiresAt > (yield* now) ? artifact : yield* new ArtifactNotFound()
})

/** Returns the content of an artifact for a download by signed link. Fails if the artifact is missing or expired. */
export const download = Effect.fnUntraced(function* (of: {
  readonly repositoryId: RepositoryId
  readonly artifactId: ArtifactId
}) {
  const { blob, name, sha256, size, type } = yield* requireBytes(yield* findDone(of.repositoryId, of.artifactId))
  const blobs = yield* BlobStore
  return {
    path: type === archiveType ? `${name}.zip` : name,
    id: sha256,
    size,
    type,
    fixed: false,
    bytes: (range) =>
      Stream.orDie(blobs.read(keyOf(blob), range && { first: range.offset, last: range.offset + range.length - 1 }))
  } satisfies Download
})
