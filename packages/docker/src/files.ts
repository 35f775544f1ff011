import { archiveOf, type ContainerFile } from "@slipway/domain/deploy/containers"
import { Effect, Redacted, Stream } from "effect"
import { Tar } from "effect/encoding"
import { type Api, refusal } from "./client.ts"

/** The user and group ids of a user of an image. */
interface UserIds {
  readonly uid: number
  readonly gid: number
}

/** The maximum size of `/etc/passwd` that is read, in bytes. */
const longestPasswd = 262_144

/** Parses the lines of `/etc/passwd`. */
const parsePasswd = (text: string): ReadonlyMap<string, UserIds> =>
  new Map(
    text.split("\n").flatMap((line) => {
      const [name = "", , uid, gid] = line.split(":")
      const ids = { uid: Number(uid), gid: Number(gid) }
      return name !== "" && Number.isSafeInteger(ids.uid) && Number.isSafeInteger(ids.gid) ? [[name, ids] as const] : []
    })
  )

const noUsers: ReadonlyMap<string, UserIds> = new Map()

/** Reads the users of a container's image; none if the image has no `/etc/passwd`. */
const usersOf = (api: Api, id: string) => {
  const question = { method: "GET", path: `/containers/${id}/archive`, query: { path: "/etc/passwd" } } as const
  return api.follow(question, refusal).pipe(
    Stream.pipeThroughChannel(Tar.decode()),
    Stream.filter(({ header }) => header.size <= longestPasswd),
    Stream.mapEffect((entry) => Stream.mkUint8Array(entry.body)),
    Stream.runFold(
      () => "",
      (text, bytes: Uint8Array) => text + new TextDecoder().decode(bytes)
    ),
    Effect.map(parsePasswd),
    // A minimal image has no users; the file of another image may be a link.
    Effect.catchTags({
      EngineRefused: () => Effect.succeed(noUsers),
      TarError: () => Effect.succeed(noUsers)
    })
  )
}

/** Writes files into a container; creates missing directories. */
export const writeFiles = Effect.fnUntraced(function* (api: Api, id: string, files: ReadonlyArray<ContainerFile>) {
  if (files.length === 0) return
  const isOwned = files.some(({ owner }) => owner !== undefined)
  const users = isOwned ? yield* usersOf(api, id) : noUsers
  const entries = files.map(({ mode, owner, path, text }) => {
    const ids = owner === undefined ? undefined : users.get(owner)
    return Tar.file(path.slice(1), Redacted.value(text), { ...ids, ...(mode === undefined ? {} : { mode }) })
  })
  const answer = yield* api.ask({
    method: "PUT",
    path: `/containers/${id}/archive`,
    query: { path: "/" },
    archive: archiveOf(entries)
  })
  if (answer.status >= 400) return yield* refusal(answer)
})
