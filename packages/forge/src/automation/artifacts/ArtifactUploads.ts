import { now, Transaction, timeIn } from "@slipway/domain"
import {
  type Artifact,
  type ArtifactBlock,
  ArtifactExists,
  ArtifactNotFound,
  ArtifactRefused,
  ArtifactsFull,
  artifactBlocks,
  artifactNameProblem,
  artifacts,
  contentTypeOf,
  mostArtifacts,
  mostBlocks,
  type SignedLink,
  sign,
  workflowJobs,
  workflowRuns
} from "@slipway/domain/forge/automation"
import { BlobMismatch, BlobStore, BlobTooLarge, SiteSettings } from "@slipway/domain/forge/base"
import { Duration, Effect, Stream } from "effect"
import type { JobAtWork } from "../workflows/JobAtWork.ts"
import { freshBlob, keyOf, linksLast, requireBytes } from "./artifactFiles.ts"

const megabyte = 1_048_576

const largest = Effect.map(SiteSettings, ({ artifacts: { maxSize } }) => maxSize * megabyte)

/** Returns when an artifact expires: at the time that the job requests, but not later than the site's limit allows. */
const expiryOf = Effect.fnUntraced(function* (asked: string | undefined) {
  const longest = yield* timeIn(Duration.days((yield* SiteSettings).artifacts.days))
  return asked === undefined || asked > longest ? longest : asked
})

/**
 * Begins the upload of an artifact of a job. An incomplete artifact of the same name, or one from an earlier attempt,
 * is replaced.
 */
export const begin = Effect.fnUntraced(function* (
  job: JobAtWork,
  name: string,
  { expiresAt, type }: { readonly expiresAt?: string | undefined; readonly type?: string | undefined }
) {
  const problem = artifactNameProblem(name)
  if (problem !== undefined) return yield* new ArtifactRefused({ problem: `the name ${problem}` })
  const { attempt, jobId, repositoryId, runId } = job
  const row = {
    repositoryId,
    runId,
    attempt,
    name,
    type: contentTypeOf(type),
    blob: yield* freshBlob,
    size: 0,
    sha256: "",
    createdAt: yield* now,
    expiresAt: yield* expiryOf(expiresAt),
    done: false
  }
  const artifact = yield* (yield* Transaction).run(
    Effect.gen(function* () {
      // This lock serializes the creation of artifacts of a run.
      const run = yield* (yield* workflowRuns.store).lock({ repositoryId }, runId)
      if (run === undefined) return yield* new ArtifactNotFound()
      const store = yield* artifacts.store
      const before = yield* store.findBy("name", { runId, name })
      if (before?.done === true && before.attempt >= attempt) return yield* new ArtifactExists({ name })
      if (before !== undefined) yield* store.remove({ runId }, before.id)
      if ((yield* store.count({ runId })) >= mostArtifacts) {
        return yield* new ArtifactsFull({ of: "artifacts", most: mostArtifacts })
      }
      return yield* Effect.mapError(store.insert({ ...row, commit: run.commit }), () => new ArtifactNotFound())
    })
  )
  return yield* sign({ use: "upload", repositoryId, artifactId: artifact.id, jobId, by: null }, linksLast)
})

/**
 * Locks the artifact of an upload link until the transaction ends. Fails unless the artifact is incomplete and its job
 * is running.
 */
const lockOpen = Effect.fnUntraced(function* ({ artifactId, jobId, repositoryId }: SignedLink) {
  const artifact = yield* (yield* artifacts.store).lock({ repositoryId }, artifactId)
  const job = yield* (yield* workflowJobs.store).find({ repositoryId }, jobId ?? 0)
  return artifact?.done === false && job?.status === "running" ? artifact : yield* new ArtifactNotFound()
})

const blocksOf = Effect.fnUntraced(function* ({ id }: Pick<Artifact, "id">) {
  return (yield* (yield* artifactBlocks.store).list({ artifactId: id }, { limit: mostBlocks })).rows
})

/** Returns the maximum size of a part of an artifact in bytes, given the sizes of its other parts. */
const roomFor = Effect.fnUntraced(function* (link: SignedLink, name: string | undefined) {
  const { id, size } = yield* lockOpen(link)
  const blocks = yield* artifactBlocks.store
  const replaced = name === undefined ? undefined : yield* blocks.findBy("name", { artifactId: id, name })
  return Math.max(0, (yield* largest) - size + (replaced?.size ?? 0))
})

/**
 * Stores a part of an artifact; it replaces a part of the same name. A part without a name is appended.
 *
 * The bytes are stored before the database row. If the row is never stored, a cleanup task removes the bytes.
 */
export const putBlock = Effect.fnUntraced(function* <E, R>(
  link: SignedLink,
  named: string | undefined,
  bytes: Stream.Stream<Uint8Array, E, R>
) {
  const transaction = yield* Transaction
  const room = yield* transaction.run(roomFor(link, named))
  const blobs = yield* BlobStore
  const blob = yield* freshBlob
  const { sha256, size } = yield* blobs.put(keyOf(blob), bytes, { maxSize: room })
  const keep = Effect.gen(function* () {
    const artifact = yield* lockOpen(link)
    const store = yield* artifactBlocks.store
    const scope = { artifactId: artifact.id }
    const name = named ?? blob
    const replaced = yield* store.removeBy("name", { ...scope, name })
    const grown = artifact.size - (replaced?.size ?? 0) + size
    const maxSize = yield* largest
    if (grown > maxSize) return yield* new BlobTooLarge({ maxSize })
    if ((yield* store.count(scope)) >= mostBlocks) return yield* new ArtifactsFull({ of: "parts", most: mostBlocks })
    const row = { ...scope, name, blob, size, sha256, position: null }
    yield* Effect.orDie(store.insert(row))
    yield* Effect.orDie((yield* artifacts.store).patch({ runId: artifact.runId }, artifact.id, { size: grown }))
    return replaced
  })
  // Not after an interruption, which may follow the commit.
  const replaced = yield* Effect.tapError(transaction.run(keep), () => blobs.remove(keyOf(blob)))
  if (replaced !== undefined) yield* blobs.remove(keyOf(replaced.blob))
})

/** Stores the whole content of an artifact, replacing its parts. */
export const putWhole = Effect.fnUntraced(function* <E, R>(link: SignedLink, bytes: Stream.Stream<Uint8Array, E, R>) {
  yield* putBlock(link, "", bytes)
  yield* order(link, [""])
})

/**
 * Sets the order of an artifact's parts by their names. Parts that are not in the list are not part of the artifact.
 */
export const order = Effect.fnUntraced(function* (link: SignedLink, names: ReadonlyArray<string>) {
  const places = new Map(names.map((name, place) => [name, place]))
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const artifact = yield* lockOpen(link)
      const blocks = yield* blocksOf(artifact)
      const known = new Set(blocks.map(({ name }) => name))
      if (places.size !== names.length || names.some((name) => !known.has(name))) {
        return yield* new ArtifactRefused({ problem: "the list contains a missing part, or the same part twice" })
      }
      const changes = blocks.map(({ id, name }) => ({ id, change: { position: places.get(name) ?? null } }))
      yield* Effect.orDie((yield* artifactBlocks.store).patchMany({ artifactId: artifact.id }, changes))
    })
  )
})

/** Returns the parts of an artifact in the order that its job set, or in the order of arrival if it set none. */
const inOrder = (blocks: ReadonlyArray<ArtifactBlock>): ReadonlyArray<ArtifactBlock> => {
  const placed = blocks.filter(({ position }) => position !== null)
  return placed.length === 0 ? blocks : placed.toSorted((one, other) => Number(one.position) - Number(other.position))
}

/** The name, size and hash of an artifact, as the job declares them when it completes the upload. */
export interface SentArtifact {
  readonly name: string
  /** The size of the artifact, in bytes. */
  readonly size: number
  /** The SHA-256 of the artifact, in lower-case hexadecimal digits; undefined if the job declares none. */
  readonly sha256?: string | undefined
}

/** Joins the parts of an artifact into one blob; the blob of a single part is used without a copy. */
const joined = Effect.fnUntraced(function* (
  artifact: Artifact,
  parts: ReadonlyArray<ArtifactBlock>,
  { sha256, size }: SentArtifact
) {
  const [only] = parts
  const blobs = yield* BlobStore
  if (only !== undefined && parts.length === 1) {
    if (only.size !== size) return yield* new BlobMismatch({ of: "size" })
    if (sha256 !== undefined && only.sha256 !== sha256) return yield* new BlobMismatch({ of: "sha256" })
    return { blob: only.blob, size, sha256: only.sha256 }
  }
  const bytes = Stream.flatMap(Stream.fromIterable(parts), ({ blob }) =>
    // A concurrent request that completed the artifact has removed its parts.
    Stream.mapError(blobs.read(keyOf(blob)), () => new ArtifactNotFound())
  )
  const expected = sha256 === undefined ? { size } : { size, sha256 }
  const facts = yield* blobs.put(keyOf(artifact.blob), bytes, { maxSize: yield* largest, expected })
  return { blob: artifact.blob, size: facts.size, sha256: facts.sha256 }
})

/** Finds an artifact by name in the run of a job, complete or not. */
const named = Effect.fnUntraced(function* ({ runId }: JobAtWork, name: string) {
  return (yield* (yield* artifacts.store).findBy("name", { runId, name })) ?? (yield* new ArtifactNotFound())
})

/** Completes the upload of an artifact. */
export const finish = Effect.fnUntraced(function* (job: JobAtWork, sent: SentArtifact) {
  const artifact = yield* named(job, sent.name)
  if (artifact.done) return artifact.size === sent.size ? artifact : yield* new BlobMismatch({ of: "size" })
  const parts = yield* blocksOf(artifact)
  const facts = yield* joined(artifact, inOrder(parts), sent)
  const blobs = yield* BlobStore
  const done = yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const store = yield* artifacts.store
      const scope = { runId: job.runId }
      const open = yield* store.lock(scope, artifact.id)
      // A concurrent request may have completed or restarted the artifact.
      if (open?.done === true && open.size === sent.size) return open
      if (open === undefined || open.done || open.size !== artifact.size) return yield* new ArtifactNotFound()
      yield* (yield* artifactBlocks.store).removeWhere({ artifactId: artifact.id })
      const changed = yield* Effect.orDie(store.patch(scope, artifact.id, { ...facts, done: true }))
      return changed ?? (yield* new ArtifactNotFound())
    })
  )
  yield* Effect.forEach(
    parts.filter(({ blob }) => blob !== facts.blob),
    ({ blob }) => blobs.remove(keyOf(blob)),
    { concurrency: 8 }
  )
  return done
})

/** Lists the completely uploaded artifacts of the run of a job, newest first. */
export const list = Effect.fnUntraced(function* ({ runId }: JobAtWork, name: string | undefined) {
  const { rows } = yield* (yield* artifacts.store).list(
    { runId },
    { limit: mostArtifacts },
    { filter: { done: true, name } }
  )
  return rows
})

/** Creates a signed download link for a job, to an artifact of the same run. */
export const link = Effect.fnUntraced(function* (job: JobAtWork, name: string) {
  const artifact = yield* requireBytes(yield* named(job, name))
  if (!artifact.done) return yield* new ArtifactNotFound()
  const { jobId, repositoryId } = job
  return yield* sign({ use: "download", repositoryId, artifactId: artifact.id, jobId, by: null }, linksLast)
})

/** Deletes an artifact of a job's run; a cleanup task removes its bytes later. */
export const remove = Effect.fnUntraced(function* ({ runId }: JobAtWork, name: string) {
  const gone = yield* (yield* Transaction).run(
    Effect.flatMap(artifacts.store, (store) => store.removeBy("name", { runId, name }))
  )
  return gone ?? (yield* new ArtifactNotFound())
})
