import { Effect } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import { type AvatarName, AvatarStore } from "../../identity/avatars/Avatar.ts"

/** The profile of a repository, in addition to its settings: its avatar, and the detected language and licenses. */
export interface RepositoryProfile {
  readonly id: number
  readonly repositoryId: RepositoryId
  readonly avatar: AvatarName | null
  /** The main programming language on the default branch; empty if none was detected. */
  readonly language: string
  /** The SPDX identifiers of the licences on the default branch. */
  readonly licenses: ReadonlyArray<string>
}

/** The table of repository profiles; a repository has at most one profile. */
export const repositoryProfiles = owned<RepositoryProfile>()("repositoryProfile", {
  // A repository has at most one, so the only list is that of the site.
  within: [],
  fields: {
    repositoryId: Fields.reference("repository"),
    avatar: Fields.nullable(Fields.text<AvatarName>()),
    language: Fields.text(),
    licenses: Fields.json()
  },
  filters: ["repositoryId"],
  unique: { repository: ["repositoryId"] }
})

/** The profile of a repository without any detected data. */
const empty = { avatar: null, language: "", licenses: [] } as const

/**
 * Changes the profile of a repository in the running transaction. Returns the previous profile, or undefined if the
 * repository does not exist.
 */
export const changeProfile = Effect.fnUntraced(function* (
  repositoryId: RepositoryId,
  change: Partial<Omit<RepositoryProfile, "id" | "repositoryId">>
) {
  const store = yield* repositoryProfiles.store
  const isThere = yield* Effect.match(store.insertIfAbsent({ repositoryId, ...empty }), {
    onFailure: () => false,
    onSuccess: () => true
  })
  const found = isThere ? yield* store.findBy("repository", { repositoryId }) : undefined
  const before = found && (yield* store.lock({}, found.id))
  if (before === undefined) return undefined
  yield* Effect.orDie(store.patch({}, before.id, change))
  return before
})

/** Reads the profiles of repositories; repositories without a profile are omitted. */
export const profilesOf = Effect.fnUntraced(function* (ids: ReadonlyArray<RepositoryId>) {
  const among = { filter: { repositoryId: { in: ids } } }
  const { rows } = yield* (yield* repositoryProfiles.store).list({}, { limit: Math.max(ids.length, 1) }, among)
  return new Map(rows.map((profile) => [profile.repositoryId, profile]))
})

/** Removes the avatars of repositories before their deletion, in the running transaction. */
export const removeAvatars = Effect.fnUntraced(function* (ids: ReadonlyArray<RepositoryId>) {
  if (ids.length === 0) return
  const pictures = [...(yield* profilesOf(ids)).values()].flatMap(({ avatar }) => avatar ?? [])
  if (pictures.length > 0) yield* (yield* AvatarStore).removeMany(pictures)
})
