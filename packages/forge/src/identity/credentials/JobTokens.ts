import { Transaction } from "@slipway/domain"
import {
  accessTokens,
  hashOf,
  type JobTask,
  makeTokenText,
  scopesOfJob,
  UserStore
} from "@slipway/domain/forge/identity"
import { DateTime, Effect } from "effect"
import { serviceAccount } from "../service-account/serviceAccount.ts"

/** The maximum lifetime of a job token, in hours. It is revoked earlier when the job is finished. */
export const jobTokenLasts = 24

const nameOf = (jobId: number): string => `job ${jobId}`

/**
 * Creates the access token of an actions job, and returns its text. The token acts as the service account, and can
 * write only to one repository.
 *
 * A job has only one token: an earlier one is revoked.
 */
export const mint = Effect.fnUntraced(function* ({ jobId, level, repositoryId }: JobTask) {
  const text = yield* makeTokenText
  const present = yield* DateTime.now
  const hash = yield* hashOf(text)
  const making = Effect.gen(function* () {
    const { id: userId } = yield* serviceAccount
    const tokens = yield* accessTokens.store
    yield* tokens.removeBy("name", { userId, name: nameOf(jobId) })
    yield* tokens.insert({
      userId,
      kind: "job",
      applicationId: null,
      grant: null,
      origin: {},
      jobId,
      repositoryId,
      jobLevel: level,
      name: nameOf(jobId),
      scopes: scopesOfJob(level),
      lastEight: text.slice(-8),
      expiresAt: DateTime.formatIso(DateTime.add(present, { hours: jobTokenLasts })),
      lastUsedAt: null,
      createdAt: DateTime.formatIso(present),
      hash
    })
  })
  yield* Effect.orDie((yield* Transaction).run(making))
  return text
})

/** Revokes the tokens of actions jobs, if they have any. */
export const revoke = Effect.fnUntraced(function* (jobIds: ReadonlyArray<number>) {
  const account = jobIds.length === 0 ? undefined : yield* (yield* UserStore).system
  if (account === undefined) return
  const tokens = yield* accessTokens.store
  const userId = account.id
  const held = yield* tokens.findManyBy(
    "name",
    jobIds.map((jobId) => ({ userId, name: nameOf(jobId) }))
  )
  yield* tokens.removeMany(
    { userId },
    held.map(({ id }) => id)
  )
})
