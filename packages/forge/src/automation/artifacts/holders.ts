import { now } from "@slipway/domain"
import type { LinkHolder, SignedLink } from "@slipway/domain/forge/automation"
import { ArtifactNotFound, workflowJobs } from "@slipway/domain/forge/automation"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { RepositoryStore } from "@slipway/domain/forge/code"
import type { Actor, UserId } from "@slipway/domain/forge/identity"
import { accessTokens, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { NetAddress } from "effect/net"
import * as Entry from "../../entry/Entry.ts"

/**
 * Returns the user, token or job that gets a signed link, so that its access can be checked again when the link is
 * used.
 */
export const holderOf = (
  { task, token, user }: Pick<Actor, "task" | "token" | "user">,
  repositoryId: RepositoryId
): LinkHolder => {
  const isElsewhere = task !== undefined && task.repositoryId !== repositoryId
  return {
    // A job acts as an account without sign-in: its token expires with the job.
    userId: task === undefined ? (user?.id ?? null) : null,
    token: token === undefined ? null : { id: token.id, userId: token.userId },
    public: user === undefined || isElsewhere || token?.scopes.includes("public-only") === true
  }
}

const isLive = Effect.fnUntraced(function* ({ id, userId }: { readonly id: number; readonly userId: UserId }) {
  const token = yield* (yield* accessTokens.store).find({ userId }, id)
  return token !== undefined && (token.expiresAt === null || token.expiresAt > (yield* now))
})

const anonymously = { address: NetAddress.ipFromStringUnsafe("0.0.0.0") }

/**
 * Fails if the user or job that got a signed link could not download the artifact now (invariant I7).
 *
 * Access ends when the account or the token is removed, when the role changes, or when the job is finished. Access that
 * depended on a public repository ends when the repository becomes private. The error is always the same, so that it
 * reveals nothing.
 */
export const requireAccess = Effect.fnUntraced(
  function* ({ by, jobId, repositoryId }: SignedLink) {
    if (jobId !== null) {
      const job = yield* (yield* workflowJobs.store).find({ repositoryId }, jobId)
      if (job?.status !== "running") return yield* new ArtifactNotFound()
    }
    if (by === null) return
    const repository = yield* (yield* RepositoryStore).find(repositoryId)
    const user = by.userId === null ? undefined : yield* (yield* UserStore).find(by.userId)
    if (repository === undefined || (by.userId !== null && user === undefined)) return yield* new ArtifactNotFound()
    if (by.token !== null && !(yield* isLive(by.token))) return yield* new ArtifactNotFound()
    const about = { kind: "repository", owner: repository.owner.name, repository: repository.name } as const
    if (by.public) {
      const entered = yield* Entry.enterAs({ _tag: "Nothing" }, anonymously, about)
      yield* Entry.authorize("repository.actions.artifact.download", entered)
    }
    if (user !== undefined) {
      const entered = yield* Entry.actAs(user.name, about)
      yield* Entry.authorize("repository.actions.artifact.download", entered)
    }
  },
  Effect.mapError(() => new ArtifactNotFound())
)
