import type { ObjectId, Repository } from "@slipway/domain/forge/code"
import { GitReader, type History, LfsOid, LfsStore, lfsPointer, longestPointer } from "@slipway/domain/forge/code"
import type { Remote } from "@slipway/domain/forge/integrations"
import { OtherForges } from "@slipway/domain/forge/integrations"
import { Effect, Redacted, Schema } from "effect"
import { keepObject } from "../../code/lfs/Lfs.ts"
import { countBytes, type FileAllowance, orLeftOut } from "./copyFiles.ts"
import { basicFor, remoteFailed } from "./forgeApi.ts"

const json = "application/vnd.git-lfs+json"
/** How many commits are searched for LFS pointers per batch (`someCommits`) and in total (`mostCommits`). */
const someCommits = 200
const mostCommits = 100_000
/** How many LFS objects are requested per batch (`perBatch`) and copied in total (`mostObjects`). */
const perBatch = 100
const mostObjects = 20_000

const Batch = Schema.Struct({
  objects: Schema.Array(
    Schema.Struct({
      oid: LfsOid,
      actions: Schema.optional(
        Schema.NullOr(
          Schema.Struct({
            download: Schema.optional(
              Schema.Struct({
                href: Schema.String,
                header: Schema.optional(Schema.NullOr(Schema.Record(Schema.String, Schema.String)))
              })
            )
          })
        )
      )
    })
  )
})

/** Returns the LFS objects that commits reference, with sizes. */
const pointersIn = Effect.fnUntraced(function* ({ id }: Repository, history: History) {
  const reader = yield* GitReader
  const found = new Map<LfsOid, number>()
  const seen = new Set<ObjectId>()
  for (let skip = 0; history.from.length > 0; skip += someCommits) {
    if (skip >= mostCommits) return yield* remoteFailed(`the repository has more than ${mostCommits} commits`)
    const commits = yield* reader.log(id, history, { skip, limit: someCommits })
    if (commits.length === 0) break
    const changes = [...(yield* reader.changesOf(id, commits)).values()].flat()
    const fresh = changes.flatMap(({ after }) => (after === undefined || seen.has(after.id) ? [] : [after.id]))
    for (const blob of fresh) seen.add(blob)
    const ids = [...new Set(fresh)]
    const sizes = yield* reader.sizes(id, ids)
    const small = ids.filter((_, at) => (sizes[at] ?? Number.POSITIVE_INFINITY) <= longestPointer)
    for (const object of yield* reader.objects(id, small, longestPointer)) {
      const pointer = object?.content === undefined ? undefined : lfsPointer(object.content)
      if (pointer !== undefined) found.set(LfsOid.make(pointer.oid), pointer.size)
    }
    if (found.size > mostObjects)
      return yield* remoteFailed(`the repository has more than ${mostObjects} objects of LFS`)
  }
  return found
})

/** Returns the LFS batch URL of a repository. */
const batchUrl = (url: string): string => `${url.replace(/(?:\.git)?\/*$/, "")}.git/info/lfs/objects/batch`

const wordOf = (header: Readonly<Record<string, string>> | null | undefined) => {
  const word = Object.entries(header ?? {}).find(([name]) => name.toLowerCase() === "authorization")?.[1]
  // A token that is not a valid header value is ignored.
  return word !== undefined && /^[\x20-\x7e]{1,8192}$/.test(word) ? Redacted.make(word) : undefined
}

/** Copies the LFS objects that commits reference; skips objects that exist already. */
export const copyLfs = Effect.fnUntraced(function* (
  repository: Repository,
  remote: Remote,
  history: History,
  allowance: FileAllowance
) {
  const wanted = yield* pointersIn(repository, history)
  const here = yield* (yield* LfsStore).linked(repository.id, [...wanted.keys()])
  const missing = [...wanted].filter(([oid]) => !here.has(oid)).map(([oid, size]) => ({ oid, size }))
  const { download, read } = yield* OtherForges
  const url = batchUrl(remote.url)
  for (let at = 0; at < missing.length; at += perBatch) {
    const objects = missing.slice(at, at + perBatch)
    const body = { operation: "download", transfers: ["basic"], hash_algo: "sha256", objects }
    const answer = yield* read({ url, authorization: basicFor(remote, url), accept: json, body })
    const batch = yield* Effect.mapError(Schema.decodeUnknownEffect(Batch)(answer), () =>
      remoteFailed("the other host does not respond as an LFS server")
    )
    const places = new Map(batch.objects.map(({ actions, oid }) => [oid, actions?.download]))
    for (const { oid, size } of objects) {
      const place = places.get(oid)
      const authorization = place && (wordOf(place.header) ?? basicFor(remote, place.href))
      const taking =
        place === undefined
          ? Effect.fail(remoteFailed("the other host does not have it"))
          : keepObject(
              repository.id,
              { oid, size },
              countBytes(download({ url: place.href, authorization }), allowance)
            )
      yield* orLeftOut(oid, taking, allowance)
    }
  }
})
