import { Effect } from "effect"
import type { Proof } from "../accounts/Actor.ts"
import { audited } from "../events/record.ts"
import type { RepositoryId } from "../repositories/Repository.ts"
import { type Mirror, MirrorInvalid, mirrors } from "./Mirror.ts"
import { wakeAll } from "./wake.ts"

/** Has a repository fetch what it follows, soon. */
export const sync = audited(
  Effect.fnUntraced(function* ({ resource: { repository } }: Proof<"repository.mirror.sync">) {
    const woken = repository.mirror ? yield* wakeAll({ repositoryId: repository.id, direction: "pull" }) : 0
    if (woken === 0) return yield* new MirrorInvalid({ field: "repository", problem: "is no mirror" })
  })
)

/** Finds what repositories follow, in one statement. */
export const followedBy = Effect.fnUntraced(function* (ids: ReadonlyArray<RepositoryId>) {
  if (ids.length === 0) return new Map<RepositoryId, Mirror>()
  const { rows } = yield* (yield* mirrors.store).list(
    {},
    { page: 1, perPage: ids.length },
    { filter: { repositoryId: { in: ids }, direction: "pull" } }
  )
  return new Map(rows.map((mirror) => [mirror.repositoryId, mirror]))
})
