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

/** The remaining bytes for files in one migration (`left`), and the number of omitted files (`leftOut`). */
export class FileAllowance {
  left = 16 * 1_024 ** 3
  leftOut = 0
}

/** Subtracts streamed bytes from the allowance; the stream fails if the allowance is used up. */
export const countBytes = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, allowance: FileAllowance) =>
  Stream.mapEffect(bytes, (chunk) =>
    Effect.suspend(() => {
      allowance.left -= chunk.length
      return allowance.left < 0
        ? Effect.fail(remoteFailed("the repository has more files than a migration copies"))
        : Effect.succeed(chunk)
    })
  )

/** Runs the copy `taking` of a file. On failure or timeout (30 minutes), counts the file as omitted and succeeds. */
export const orLeftOut = <A, E, R>(what: string, taking: Effect.Effect<A, E, R>, allowance: FileAllowance) =>
  taking.pipe(
    Effect.timeout(timeout),
    Effect.catch((error) => {
      allowance.leftOut += 1
      return Effect.logInfo(`a file was not migrated: ${what}`, error)
    })
  )

/** The parameters shared by all file copies of one migration. */
export interface FileRun {
  readonly forge: OtherForge
  readonly reader: ForgeReader
  readonly userId: UserId
  readonly allowance: FileAllowance
}

/** A file at another host, with the uuid of its copy. */
export interface KnownFile {
  readonly file: OtherFile
  readonly uuid: string
}

/** Returns files with the uuids of their copies. The uuids are hashes, so that a repeated run copies no file twice. */
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

/** For how many files `replaceFileUrls` replaces the URLs in one text. */
const mostNamed = 100

/** Returns a text in which the URLs of files at the other host are replaced by the URLs of their copies. */
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

/** Copies files to the issues, comments or releases that they belong to; skips files that were copied already. */
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
