import { makeSecret, now, Transaction } from "@slipway/domain"
import type { Repository, RepositoryName } from "@slipway/domain/forge/code"
import { RepositoryStore } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { signedInUser } from "@slipway/domain/forge/identity"
import {
  addressProblem,
  type CopiedParts,
  type CopiedService,
  type Copying,
  copiedServices,
  copyings,
  intervalProblem,
  type Mirror,
  MirrorInvalid,
  MirrorNotFound,
  mirrors,
  originName,
  remoteAddress,
  secondsIn,
  usualInterval
} from "@slipway/domain/forge/integrations"
import { Duration, Effect, Fiber, Schedule } from "effect"
import { record } from "../../base/events/record.ts"
import * as Jobs from "../../base/jobs/jobWorker.ts"
import { usualBranch } from "../../code/repositories/creation.ts"
import { holderNamed, makeRepository } from "../../code/repositories/creationParts.ts"
import { deleteRepository } from "../../code/repositories/deletion.ts"
import { apiOf } from "./forgeApi.ts"
import { defectError, runOne } from "./leases.ts"
import { mirrorKind } from "./mirrorWork.ts"
import { sealPassword } from "./secrets.ts"

/** How long the request waits for its migration; after this time the migration continues in the background. */
const timeout = Duration.seconds(10)

/** The fields of a migration from another host. */
export interface MigrationInput {
  readonly address: string
  readonly name: RepositoryName
  /** The name of the user or organization that will own the repository; defaults to the actor. */
  readonly owner?: string | undefined
  readonly ownerId?: number | undefined
  readonly username?: string | undefined
  readonly password?: string | undefined
  /** A token instead of a password. */
  readonly token?: string | undefined
  readonly description?: string | undefined
  readonly private?: boolean | undefined
  /** Whether the new repository becomes a pull mirror, which is updated regularly. */
  readonly mirror?: boolean | undefined
  readonly interval?: string | undefined
  readonly wiki?: boolean | undefined
  /** The service type of the host; defaults to plain git. */
  readonly service?: string | undefined
  readonly parts: CopiedParts
}

const invalid = (field: string, problem: string) => new MirrorInvalid({ field, problem })

const isCopied = (service: string): service is CopiedService => copiedServices.some((each) => each === service)

const fieldOf: Readonly<Partial<Record<keyof CopiedParts, string>>> = { pulls: "pull_requests" }

/** Returns the type of the service with the API for the requested parts; undefined if only git data is requested. */
const serviceFor = Effect.fnUntraced(function* ({ mirror, parts, service = "git" }: MigrationInput, url: string) {
  const { lfs, ...otherParts } = parts
  const [wanted] = (Object.keys(otherParts) as ReadonlyArray<keyof typeof otherParts>).filter(
    (part) => otherParts[part]
  )
  if (wanted === undefined && !lfs) return undefined
  if (wanted === undefined) return "git" as const
  const field = fieldOf[wanted] ?? wanted
  if (mirror === true) return yield* invalid(field, "cannot be migrated into a mirror")
  if (!isCopied(service)) return yield* invalid(field, `can only be migrated from ${copiedServices.join(", ")}`)
  if (apiOf(service, url) === undefined) return yield* invalid("clone_addr", "must name an owner and a repository")
  return service
})

/** Returns whether the migration failed because of the other host, and not because of an internal error. */
const isRefused = ({ lastError }: Pick<Mirror, "lastError">): boolean => lastError !== "" && lastError !== defectError

/** Removes the repository of a migration that failed while the request waited; then fails with the reason. */
const undone = Effect.fnUntraced(function* (
  proof: Proof<"repository.migrate">,
  repository: Repository,
  because: string
) {
  const job = yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const removal = yield* deleteRepository(repository.id)
      yield* record(proof, { repository, details: { undone: because } })
      return removal
    })
  )
  yield* Jobs.runNow(job)
  return yield* invalid("clone_addr", because)
})

/**
 * Copies a repository from another host, once or as a mirror; the actor must be allowed to create one for the owner
 * (invariant I12).
 *
 * The new repository is read-only during the copy. The copy continues after the request ends and after a restart of
 * the process. If the copy fails while the request waits, the new repository is removed.
 */
export const migrate = Effect.fnUntraced(function* (proof: Proof<"repository.migrate">, input: MigrationInput) {
  const { actor } = proof.resource
  const { description = "", interval = "", mirror = false, name, token = "", wiki = false } = input
  const parsed = remoteAddress(input.address)
  if (parsed === undefined) return yield* invalid("clone_addr", addressProblem)
  const problem = interval === "" ? undefined : intervalProblem(interval)
  if (problem !== undefined) return yield* invalid("mirror_interval", problem)
  if (input.owner === undefined && input.ownerId !== undefined && input.ownerId !== signedInUser({ actor }).id) {
    return yield* invalid("repo_owner", "must name the owner")
  }
  const service = yield* serviceFor(input, parsed.url)
  const holder = yield* holderNamed(actor, input.owner)
  const { id: userId } = signedInUser({ actor })
  const uuid = yield* makeSecret
  const username = input.username ?? parsed.username
  const secret = token === "" ? (input.password ?? parsed.password) : token
  const password = yield* sealPassword(uuid, secret)
  const seconds = interval === "" ? usualInterval : (secondsIn(interval) ?? 0)
  const mirrorRepository = yield* makeRepository(proof, holder, {
    settings: {
      name,
      description,
      private: input.private ?? false,
      mirror: true,
      empty: true,
      defaultBranch: usualBranch
    },
    git: ({ id }) => ({ _tag: "MakeGit", repositoryId: id, defaultBranch: usualBranch, commit: null }),
    needed: true,
    details: { host: new URL(parsed.url).origin },
    beside: (repository) =>
      Effect.gen(function* () {
        const at = yield* now
        if (service !== undefined) {
          const progress = { copied: 0, leftOut: 0, numbersBefore: null, doneAt: null }
          const row = { repositoryId: repository.id, service, userId, ...input.parts, ...progress }
          yield* Effect.orDie((yield* copyings.store).insert(row))
        }
        return yield* Effect.orDie(
          (yield* mirrors.store).insert({
            repositoryId: repository.id,
            direction: "pull",
            name: originName,
            url: parsed.url,
            // Hosts accept any user name if the password is a token.
            username: username === "" && token !== "" ? "oauth2" : username,
            uuid,
            password,
            interval: mirror ? seconds : 0,
            onCommit: false,
            oneTime: !mirror,
            wiki,
            createdAt: at,
            syncedAt: null,
            lastError: "",
            // The job that creates the git repository makes it due: no worker takes it before.
            dueAt: null,
            running: false,
            asked: 0
          })
        )
      })
  })
  const { id } = mirrorRepository.repository
  const origin = { repositoryId: id, name: originName }
  const store = yield* mirrors.store
  const begun = yield* store.findBy("name", origin)
  if (begun !== undefined) {
    const own = yield* Effect.forkDetach(runOne(mirrorKind, begun.id))
    // A worker may have finished first: then the row contains the result.
    const isOver = Effect.map(
      store.findBy("name", origin),
      (row) => row === undefined || (!row.running && (row.syncedAt !== null || isRefused(row)))
    )
    const over = Effect.repeat(isOver, { until: (known) => known, schedule: Schedule.spaced("100 millis") })
    yield* Effect.timeoutOption(
      Effect.flatMap(Fiber.join(own), (done) => (done ? Effect.void : over)),
      timeout
    )
  }
  const reached = yield* store.findBy("name", origin)
  if (reached !== undefined && !reached.running && isRefused(reached)) {
    return yield* undone(proof, mirrorRepository.repository, reached.lastError)
  }
  return (yield* (yield* RepositoryStore).grantsOf(userId, id)) ?? mirrorRepository
})

/** The progress of a migration: `mirror` for git data, `copying` for data from the API, such as issues. */
export interface Progress {
  readonly mirror: Mirror
  readonly copying: Copying | undefined
}

/** Reads the progress of a repository's migration, including the URL of its source. */
export const progress = Effect.fnUntraced(function* ({ resource: { repository } }: Proof<"repository.migration.read">) {
  const found = yield* (yield* mirrors.store).findBy("name", { repositoryId: repository.id, name: originName })
  if (found?.direction !== "pull") return yield* new MirrorNotFound({ name: originName })
  const copying = yield* (yield* copyings.store).findBy("repository", { repositoryId: repository.id })
  return { mirror: found, copying } satisfies Progress
})
