import { nameKey, now } from "@slipway/domain"
import { ProtectionStore, type Repository } from "@slipway/domain/forge/code"
import {
  type Approval,
  approvalOf,
  type Deployment,
  type DeploymentReview,
  type DeploymentState,
  type DeploymentStatus,
  deploymentReviews,
  deploymentStatuses,
  type EnvironmentRules,
  environments,
  openEnvironment,
  type ReviewerFacts,
  reviewRefusal
} from "@slipway/domain/forge/collaboration"
import { type Actor, TeamStore, type UserId } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { mayHavePushed } from "./pushers.ts"

/** The approval of a deployment, and whether the actor can approve or reject it. */
export interface ShownApproval extends Approval {
  /** The protection rules of the environment; if the environment does not exist, rules without protection. */
  readonly rules: EnvironmentRules
  readonly review: DeploymentReview | undefined
  readonly canReview: boolean
}

/**
 * Returns the teams that are reviewers of an environment and that a user is in. Only teams of the repository's
 * organization count.
 */
const teamsOfUser = Effect.fnUntraced(function* (
  user: UserId | undefined,
  { owner }: Repository,
  rules: ReadonlyArray<EnvironmentRules>
) {
  const wanted = [...new Set(rules.flatMap(({ reviewers }) => reviewers.teams))]
  if (user === undefined || wanted.length === 0 || owner.kind !== "organization") return []
  // A transferred repository keeps no reviewers of its former organization.
  const found = yield* (yield* TeamStore).findMany(wanted)
  const own = wanted.filter((id) => found.get(id)?.organizationId === owner.id)
  return own.length === 0 ? [] : yield* (yield* ProtectionStore).teamsAmong(user, own)
})

/** Returns the protection rules of environments by name, ignoring case. */
const rulesOf = Effect.fnUntraced(function* (
  { id: repositoryId }: Pick<Repository, "id">,
  names: ReadonlyArray<string>
) {
  const wanted = [...new Map(names.map((name) => [nameKey(name), name])).values()]
  const found = yield* (yield* environments.store).findManyBy(
    "name",
    wanted.map((name) => ({ repositoryId, name }))
  )
  const byName = new Map(found.map((each) => [nameKey(each.name), each]))
  return (name: string): EnvironmentRules => byName.get(nameKey(name)) ?? openEnvironment
})

/** Returns the facts from which it is decided whether a user may review a deployment. */
const reviewerFacts = Effect.fnUntraced(function* (
  actor: Actor,
  repository: Repository,
  deployment: Deployment,
  rules: EnvironmentRules
) {
  const userId = actor.user?.id
  const teams = yield* teamsOfUser(userId, repository, [rules])
  const isPusher =
    userId !== undefined && rules.preventSelfReview && (yield* mayHavePushed(repository, deployment, userId))
  return { userId, teams, isPusher } satisfies ReviewerFacts
})

/**
 * The newest status of each deployment, by deployment id: a list with one entry, or an empty list if there is no
 * status.
 */
export type NewestStatuses = ReadonlyMap<Deployment["id"], ReadonlyArray<Pick<DeploymentStatus, "state">>>

/** Reads the newest status of each given deployment. */
export const newestStatuses = Effect.fnUntraced(function* (rows: ReadonlyArray<Pick<Deployment, "id">>) {
  const ids = rows.map(({ id }) => id)
  return yield* (yield* deploymentStatuses.store).listFor("deploymentId", ids, 1, { order: "newest" })
})

/** The deployment states that are reached only after an approval, if the environment requires one. */
export const runningStates: ReadonlyArray<DeploymentState> = ["in_progress", "success"]

const hasBegun = (status: Pick<DeploymentStatus, "state"> | undefined): boolean =>
  status !== undefined && runningStates.includes(status.state)

/** Returns the approval of each deployment, by deployment id. */
export const approvalsOf = Effect.fnUntraced(function* (
  actor: Actor,
  repository: Repository,
  deployments: ReadonlyArray<Deployment>,
  newest: NewestStatuses
) {
  if (deployments.length === 0) return new Map<Deployment["id"], ShownApproval>()
  const rules = yield* rulesOf(
    repository,
    deployments.map(({ environment }) => environment)
  )
  const ids = deployments.map(({ id }) => id)
  const reviews = yield* (yield* deploymentReviews.store).listFor("deploymentId", ids, 1)
  const userId = actor.user?.id
  const all = deployments.map(({ environment }) => rules(environment))
  const teams = yield* teamsOfUser(userId, repository, all)
  const at = yield* now
  return new Map(
    deployments.map((deployment): readonly [Deployment["id"], ShownApproval] => {
      const own = rules(deployment.environment)
      const [review] = reviews.get(deployment.id) ?? []
      const approval = approvalOf(own, deployment, review, at, hasBegun(newest.get(deployment.id)?.[0]))
      // The pusher of each commit is looked up when a review is sent.
      const refusal = reviewRefusal(own, { userId, teams, isPusher: false })
      return [
        deployment.id,
        { ...approval, rules: own, review, canReview: approval.needsReview && refusal === undefined }
      ]
    })
  )
})

/**
 * Returns the approval of a deployment. Also checks whether the actor pushed its commit, because that may exclude the
 * actor as a reviewer.
 */
export const approvalFor = Effect.fnUntraced(function* (actor: Actor, repository: Repository, deployment: Deployment) {
  const newest = yield* newestStatuses([deployment])
  const [approval] = [...(yield* approvalsOf(actor, repository, [deployment], newest)).values()]
  const rules = approval?.rules ?? openEnvironment
  const facts = yield* reviewerFacts(actor, repository, deployment, rules)
  const state = approval ?? { ...approvalOf(rules, deployment, undefined, yield* now), rules, review: undefined }
  const refusal = reviewRefusal(rules, facts)
  const canReview = state.needsReview && refusal === undefined
  return { ...state, canReview, refusal, hasBegun: hasBegun(newest.get(deployment.id)?.[0]) }
})
