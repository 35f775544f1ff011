import type { RepositoryId } from "@slipway/domain/forge/base"
import { type AttachedTo, AttachmentStore } from "@slipway/domain/forge/code"
import type { UserId } from "@slipway/domain/forge/identity"
import {
  type ForgeReader,
  type OtherFile,
  OtherForges,
  storedText,
  storedTime
} from "@slipway/domain/forge/integrations"
import { Duration, Effect, Stream } from "effect"
import { Digest } from "effect/crypto"
import { attach, attachLink, uuidOf } from "../../code/attachments/Attachments.ts"
import { authorizationFor, type OtherForge, remoteFailed } from "./forgeApi.ts"

/** The time limit for one file. */
const timeout = Duration.minutes(30)

/** The remaining file allowance of one migration: bytes, and the number of omitted files. */
export class FileAllowance {
  left = 16 * 1_024 ** 3
  leftOut = 0
}

/** Counts streamed bytes against the allowance, and fails when it is used up. */
export const countBytes = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, allowance: FileAllowance) =>
  Stream.mapEffect(bytes, (chunk) =>
    Effect.suspend(() => {
      allowance.left -= chunk.length
      return allowance.left < 0
        ? Effect.fail(remoteFailed("the repository has more files than a migration copies"))
        : Effect.succeed(chunk)
    })
  )

/** Copies a file. Omits and counts a file that cannot be read, takes too long or exceeds a limit. */
export const orLeftOut = <A, E, R>(what: string, taking: Effect.Effect<A, E, R>, allowance: FileAllowance) =>
  taking.pipe(
    Effect.timeout(timeout),
    Effect.catch((error) => {
      allowance.leftOut += 1
      return Effect.logInfo(`a file was not migrated: ${what}`, error)
    })
  )

/** The shared data of file copies. */
export interface FileRun {
  readonly forge: OtherForge
  readonly reader: ForgeReader
  readonly userId: UserId
  readonly allowance: FileAllowance
}

/** A file at another host, with its uuid in the copy. */
export interface KnownFile {
  readonly file: OtherFile
  readonly uuid: string
}

/** Returns the uuids of files in the copy of a repository: deterministic, so that each is copied once. */
export const knownFiles = Effect.fnUntraced(function* (
  repositoryId: RepositoryId,
  files: ReadonlyArray<OtherFile> | null | undefined
) {
  const digest = yield* Digest.Digest
  return yield* Effect.forEach(files ?? [], (file) => {
    const name = new TextEncoder().encode(`${repositoryId} ${file.browser_download_url ?? file.url} ${file.name}`)
    return Effect.map(
      Effect.orDie(digest.digest(Digest.sha256, name)),
      (hash): KnownFile => ({ file, uuid: uuidOf(hash.subarray(0, 16)) })
    )
  })
})

/** How many files a text is searched for. */
const mostNamed = 100

/** Returns a text with file URLs replaced by those of the copy; replacements are not searched again. */
export const replaceFileUrls = (
  reader: Pick<ForgeReader, "placeOf">,
  text: string,
  files: ReadonlyArray<KnownFile>
): string => {
  const places = new Map<string, string>()
  for (const { file, uuid } of files.slice(0, mostNamed)) {
    for (const name of reader.placeOf(file)?.names ?? []) {
      // A single slash occurs in every URL.
      if (name.length > 1 && !places.has(name)) places.set(name, `/attachments/${uuid}`)
    }
  }
  if (places.size === 0) return text
  const longestFirst = [...places.keys()].sort((one, other) => other.length - one.length)
  const names = longestFirst.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
  return storedText(text.replace(new RegExp(names.join("|"), "g"), (name) => places.get(name) ?? name))
}

/** Copies files to their resources, except those that exist already. */
export const copyFiles = Effect.fnUntraced(function* (
  { allowance, forge, reader, userId }: FileRun,
  wanted: ReadonlyArray<{ readonly to: AttachedTo; readonly files: ReadonlyArray<KnownFile> }>
) {
  const all = wanted.flatMap(({ files, to }) => files.map((each) => ({ ...each, to })))
  if (all.length === 0) return
  const here = new Set(yield* (yield* AttachmentStore).known(all.map(({ uuid }) => uuid)))
  const { download } = yield* OtherForges
  for (const { file, to, uuid } of all) {
    if (here.has(uuid)) continue
    const url = reader.placeOf(file)?.url
    const bytes =
      url === undefined
        ? Stream.fail(remoteFailed("it has no address"))
        : download({ url, authorization: authorizationFor(forge, url), accept: "application/octet-stream" })
    const metadata = { name: file.name, uuid, createdAt: storedTime(file.created_at) }
    const isLink = to.kind === "release" && file.type === "external"
    const taking = isLink
      ? attachLink(to, userId, { ...metadata, url: file.browser_download_url ?? "" })
      : attach(to, userId, { ...metadata, bytes: countBytes(bytes, allowance) })
    yield* orLeftOut(file.name, taking, allowance)
  }
})
