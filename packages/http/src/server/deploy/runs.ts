import { InvalidInput } from "@slipway/domain"
import { ApplicationStore, type Deployment, Deployments, Status } from "@slipway/domain/deploy"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { RunsApi } from "../../api/deploy/runs.ts"
import { toHttpErrors } from "./errors.ts"
import { isSet } from "./flags.ts"
import { granted } from "./guard.ts"
import { showDeploymentWithLogs, showStatus } from "./show.ts"

class Api extends HttpApi.make("deploy").add(RunsApi).prefix("/api/v1") {}

const partsOf = (list: string | undefined) => [
  ...new Set((list ?? "").split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()])))
]
const mostAtOnce = 100

const queued = (message: string) => (deployment: Deployment) => ({ message, deployment_uuid: deployment.uuid })

const named = Effect.fnUntraced(function* (uuids: ReadonlyArray<string>, tags: ReadonlyArray<string>) {
  const store = yield* ApplicationStore
  const tagged = yield* Effect.forEach(tags, (tag) => store.tagged(tag, { limit: mostAtOnce }))
  const all = [...new Set([...uuids, ...tagged.flat().map((application) => application.uuid)])]
  if (all.length > 0 && all.length <= mostAtOnce) return all
  const problem = all.length === 0 ? "Must name an application, by uuid or tag." : `Must name at most ${mostAtOnce}.`
  return yield* new InvalidInput({ problems: { uuid: [problem] } })
})

interface Wanted {
  readonly uuids: ReadonlyArray<string>
  readonly tags: ReadonlyArray<string>
  readonly force: boolean
}

const deployAll = ({ force, tags, uuids }: Wanted) =>
  toHttpErrors(
    Effect.gen(function* () {
      const proof = yield* granted("application.deploy")
      const all = yield* named(uuids, tags)
      const deployments = yield* Effect.forEach(all, (uuid) => Deployments.deploy(proof, uuid, force))
      return {
        deployments: deployments.map((each) => ({
          message: `Application ${each.applicationName} deployment queued.`,
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
        force: payload.force ?? isSet(query.force)
      })
    },
    deployByLink: ({ query }) =>
      deployAll({ uuids: partsOf(query.uuid), tags: partsOf(query.tag), force: isSet(query.force) }),
    start: ({ params, query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.deploy")
          const deployment = yield* Deployments.deploy(proof, params.uuid, isSet(query.force))
          return queued("Deployment request queued.")(deployment)
        })
      ),
    stop: ({ params }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.deploy")
          return queued("Application stopping request queued.")(yield* Deployments.stop(proof, params.uuid))
        })
      ),
    restart: ({ params }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.deploy")
          return queued("Restart request queued.")(yield* Deployments.restart(proof, params.uuid))
        })
      ),
    rollback: ({ params, payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.deploy")
          const deployment = yield* Deployments.rollback(proof, params.uuid, payload.commit)
          return queued("Rollback deployment queued.")(deployment)
        })
      ),
    releases: ({ params }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.read")
          const { rows, serving } = yield* Deployments.releases(proof, params.uuid)
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
    status: ({ params }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.read")
          return showStatus(yield* Status.read(proof, params.uuid))
        })
      ),
    ofApplication: ({ params, query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("deployment.list")
          const found = yield* Deployments.ofApplication(proof, params.uuid, query.skip ?? 0, query.take ?? 10)
          const rows = yield* Deployments.withReasons(proof, found)
          const tails = yield* Deployments.tails(proof, rows)
          return {
            count: yield* Deployments.countOf(proof, params.uuid),
            deployments: rows.map((row) => showDeploymentWithLogs(row, tails.get(row.uuid) ?? []))
          }
        })
      ),
    cancel: ({ params }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("deployment.cancel")
          const { status, uuid } = yield* Deployments.cancel(proof, params.uuid)
          return {
            message: "Deployment cancellation requested.",
            deployment_uuid: uuid as string,
            status: status as string
          }
        })
      ),
    log: ({ params, query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("deployment.read")
          const deployment = yield* Deployments.get(proof, params.uuid)
          return yield* Deployments.log(proof, deployment, query.after ?? 0, query.limit ?? 100)
        })
      )
  })
)
