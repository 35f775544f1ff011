import { Approvals, Deployments, Previews, Status } from "@slipway/deploy/apps"
import { authorizeNamed } from "@slipway/deploy/entry"
import { Cleanups } from "@slipway/deploy/infrastructure"
import { InvalidInput } from "@slipway/domain"
import { type Application, ApplicationStore, awaitsApproval, type Deployment } from "@slipway/domain/deploy/apps"
import { type Authorized, authorize, type Caller } from "@slipway/domain/deploy/entry"
import { everything } from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { RunsApi } from "../../../api/deploy/apps/runs.ts"
import { toHttpErrors } from "../base/errors.ts"
import { isSet } from "../base/flags.ts"
import { granted } from "../base/guard.ts"
import { numbersIn, showDeploymentWithLogs, showStatus } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(RunsApi).prefix("/api/v1") {}

const partsOf = (list: string | undefined) => [
  ...new Set((list ?? "").split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()])))
]
const mostPerRequest = 100

/** Returns the API response for a queued deployment; while it waits for an approval, the message says so. */
export const queuedAnswer = (message: string) => (deployment: Deployment) => ({
  message: awaitsApproval(deployment) ? "The deployment waits for an approval." : message,
  deployment_uuid: deployment.uuid
})

const decided = (message: string, { status, uuid }: Deployment) => ({
  message,
  deployment_uuid: uuid as string,
  status: status as string
})

interface DeployRequest {
  readonly uuids: ReadonlyArray<string>
  readonly tags: ReadonlyArray<string>
  readonly force: boolean
  /** The pull request of the preview to deploy. */
  readonly pullRequest: number | undefined
  /** The tag of the image of the preview. */
  readonly imageTag: string | undefined
}

/** Deploys the preview of a pull request; fails unless the request names exactly one application and no tag. */
const deployPreview = Effect.fnUntraced(function* (
  [proof, ...others]: ReadonlyArray<Authorized<"application.deploy.request">>,
  { force, imageTag, tags }: DeployRequest,
  pullRequest: number
) {
  if (proof === undefined || others.length > 0 || tags.length > 0) {
    const problem = "Needs the uuid of one application, and no tag."
    return yield* new InvalidInput({ problems: { pull_request_id: [problem] } })
  }
  return yield* Previews.deploy(proof, pullRequest, { force, imageTag })
})

/** Finds the applications with the given uuids and tags, and authorizes the caller to deploy each of them. */
const authorizeAll = Effect.fnUntraced(function* (caller: Caller, { tags, uuids }: DeployRequest) {
  const found = yield* (yield* ApplicationStore).named(uuids, tags, mostPerRequest + 1)
  // A tag of another team may have the same name.
  const isKnown = ({ placement }: Application) =>
    caller.access === everything || caller.access.teams.includes(placement.teamId)
  const known = found.filter((each) => uuids.includes(each.uuid) || isKnown(each))
  const named = new Map(known.map((application) => [application.uuid as string, application]))
  const all = [...new Set([...uuids, ...named.keys()])]
  if (all.length === 0 || all.length > mostPerRequest) {
    const problem =
      all.length === 0 ? "Must name an application, by uuid or tag." : `Must name at most ${mostPerRequest}.`
    return yield* new InvalidInput({ problems: { uuid: [problem] } })
  }
  return yield* Effect.forEach(all, (uuid) => {
    const application = named.get(uuid)
    return application === undefined || !isKnown(application)
      ? authorizeNamed(caller, "application.deploy.request", { uuid })
      : authorize(caller, "application.deploy.request", { application })
  })
})

const deployAll = (wanted: DeployRequest) =>
  toHttpErrors(
    Effect.gen(function* () {
      const { resource } = yield* granted("deployment.create")
      const proofs = yield* authorizeAll(resource.caller, wanted)
      const { force, imageTag, pullRequest } = wanted
      if (imageTag !== undefined && pullRequest === undefined) {
        return yield* new InvalidInput({ problems: { docker_tag: ["Needs pull_request_id."] } })
      }
      const deployments =
        pullRequest === undefined
          ? yield* Deployments.deployAll(proofs, force)
          : [yield* deployPreview(proofs, wanted, pullRequest)]
      return {
        deployments: deployments.map((each) => ({
          message: awaitsApproval(each)
            ? `Application ${each.applicationName} deployment waits for an approval.`
            : `Application ${each.applicationName} deployment queued.`,
          resource_uuid: each.applicationUuid as string,
          deployment_uuid: each.uuid as string
        }))
      }
    })
  )

/** The handlers of runs. */
export const layerRuns = HttpApiBuilder.group(Api, "runs", (handlers) =>
  handlers.handleAll({
    deploy: ({ payload, query }) => {
      const list = (name: "tag" | "uuid") => [...partsOf(query[name]), ...partsOf(payload[name])]
      return deployAll({
        uuids: list("uuid"),
        tags: list("tag"),
        force: payload.force ?? isSet(query.force),
        pullRequest: payload.pull_request_id ?? payload.pr ?? query.pull_request_id ?? query.pr,
        imageTag: payload.docker_tag ?? query.docker_tag
      })
    },
    deployByLink: ({ query }) =>
      deployAll({
        uuids: partsOf(query.uuid),
        tags: partsOf(query.tag),
        force: isSet(query.force),
        pullRequest: query.pull_request_id ?? query.pr,
        imageTag: query.docker_tag
      }),
    start: ({ query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.deploy.request")
          const deployment = yield* Deployments.deploy(proof, isSet(query.force))
          return queuedAnswer("Deployment request queued.")(deployment)
        })
      ),
    stop: ({ query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.deploy")
          const stop = Deployments.stop(proof)
          const stopped = yield* isSet(query.docker_cleanup) ? Cleanups.withStop(proof, stop) : stop
          return queuedAnswer("Application stopping request queued.")(stopped)
        })
      ),
    restart: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.deploy.request")
          return queuedAnswer("Restart request queued.")(yield* Deployments.restart(proof))
        })
      ),
    rollback: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.deploy.request")
          const deployment = yield* Deployments.rollback(proof, payload.commit)
          return queuedAnswer("Rollback deployment queued.")(deployment)
        })
      ),
    releases: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.read")
          const { rows, serving } = yield* Deployments.releases(proof)
          const images = rows.map((row) => ({
            tag: row.deploymentUuid as string,
            release_uuid: row.uuid as string,
            commit: row.commit,
            image: row.imageId,
            created_at: row.createdAt,
            is_current: row.uuid === serving?.releaseUuid,
            has_served: row.hasServed
          }))
          return { current: images.find((each) => each.is_current)?.tag ?? null, images }
        })
      ),
    status: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.read")
          const status = yield* Status.read(proof)
          return showStatus(status, yield* numbersIn(status.latest === null ? [] : [status.latest]))
        })
      ),
    ofApplication: ({ query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.deployment.list")
          const found = yield* Deployments.ofApplication(proof, query.skip ?? 0, query.take ?? 10)
          const rows = yield* Deployments.withReasons(proof, found)
          const tails = yield* Deployments.tails(proof, rows)
          const numberOf = yield* numbersIn(rows)
          return {
            count: yield* Deployments.countOf(proof),
            deployments: rows.map((row) => showDeploymentWithLogs(row, numberOf, tails.get(row.uuid) ?? []))
          }
        })
      ),
    cancel: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("deployment.cancel")
          return decided("Deployment cancellation requested.", yield* Deployments.cancel(proof))
        })
      ),
    approve: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const deployment = yield* Approvals.approve(yield* granted("deployment.approve"))
          return decided(
            deployment.status === "cancelled"
              ? "Deployment cancelled: the account that requested it may no longer deploy."
              : "Deployment approved.",
            deployment
          )
        })
      ),
    reject: () =>
      toHttpErrors(
        Effect.gen(function* () {
          return decided("Deployment rejected.", yield* Approvals.reject(yield* granted("deployment.reject")))
        })
      ),
    log: ({ query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("deployment.read")
          return yield* Deployments.log(proof, query.after ?? 0, query.limit ?? 100)
        })
      )
  })
)
