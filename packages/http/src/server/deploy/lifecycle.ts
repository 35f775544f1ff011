import { InvalidInput } from "@slipway/domain"
import { Applications, authorize, type Deployment, Deployments } from "@slipway/domain/deploy"
import { Effect, Stream } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { LifecycleApi } from "../../api/deploy/lifecycle.ts"
import { onTheWire } from "./errors.ts"
import { granted } from "./guard.ts"
import { showDeployment } from "./show.ts"

class Api extends HttpApi.make("deploy").add(LifecycleApi).prefix("/api/v1") {}

const isSet = (flag: string | undefined) => flag === "true" || flag === "1"

const queued = (message: string) => (deployment: Deployment) => ({ message, deployment_uuid: deployment.uuid })

/** How many applications one request deploys. */
const mostAtOnce = 100
const pageSize = { skip: 0, take: 10 }
const lines = 1_000

const wanted = (text: string) =>
  new Set(
    text
      .split(",")
      .map((each) => each.trim())
      .filter((each) => each !== "")
  )

/** The handlers by which applications are deployed, stopped and brought back. */
export const layerLifecycle = HttpApiBuilder.group(Api, "lifecycle", (handlers) =>
  handlers.handleAll({
    deploy: ({ query }) =>
      onTheWire(
        Effect.gen(function* () {
          const proof = yield* granted("application.deploy")
          const uuids = wanted(query.uuid ?? "")
          if (query.tag !== undefined) {
            // A tag names applications to those alone who may list them.
            const listing = yield* authorize(proof.resource, "application.list")
            const tagged = yield* Stream.runCollect(
              Stream.take(Applications.stream(listing, query.tag), mostAtOnce + 1)
            )
            for (const { uuid } of tagged) uuids.add(uuid)
          }
          if (uuids.size === 0 || uuids.size > mostAtOnce) {
            const sentence = `Must name at least one application, and at most ${mostAtOnce}.`
            return yield* new InvalidInput({ problems: { [query.tag === undefined ? "uuid" : "tag"]: [sentence] } })
          }
          const deployments = yield* Effect.forEach(uuids, (uuid) =>
            Effect.map(Deployments.deploy(proof, uuid, isSet(query.force)), (deployment) => ({
              message: "Deployment request queued.",
              resource_uuid: deployment.applicationUuid,
              deployment_uuid: deployment.uuid
            }))
          )
          return { deployments }
        })
      ),
    start: ({ params, query }) =>
      onTheWire(
        Effect.gen(function* () {
          const proof = yield* granted("application.deploy")
          const deployment = yield* Deployments.deploy(proof, params.uuid, isSet(query.force))
          return queued("Deployment request queued.")(deployment)
        })
      ),
    restart: ({ params }) =>
      onTheWire(
        Effect.gen(function* () {
          const proof = yield* granted("application.deploy")
          return queued("Restart request queued.")(yield* Deployments.restart(proof, params.uuid))
        })
      ),
    stop: ({ params }) =>
      onTheWire(
        Effect.gen(function* () {
          const proof = yield* granted("application.deploy")
          return queued("Application stopping request queued.")(yield* Deployments.stop(proof, params.uuid))
        })
      ),
    releases: ({ params }) =>
      onTheWire(
        Effect.gen(function* () {
          const proof = yield* granted("application.read")
          const { rows, serving } = yield* Deployments.releases(proof, params.uuid)
          const current = rows.find(({ uuid }) => uuid === serving?.releaseUuid)
          return {
            current: current?.deploymentUuid ?? null,
            images: rows.map((release) => ({
              tag: release.deploymentUuid,
              commit: release.commit,
              image: release.imageId,
              created_at: release.createdAt,
              is_current: release === current
            }))
          }
        })
      ),
    rollback: ({ params, payload }) =>
      onTheWire(
        Effect.gen(function* () {
          const proof = yield* granted("application.deploy")
          const deployment = yield* Deployments.rollback(proof, params.uuid, payload.commit)
          return queued("Rollback request queued.")(deployment)
        })
      ),
    cancel: ({ params }) =>
      onTheWire(
        Effect.gen(function* () {
          const proof = yield* granted("application.deploy")
          const deployment = yield* Deployments.cancel(proof, params.uuid)
          return {
            message: "Cancellation requested.",
            deployment_uuid: deployment.uuid,
            status: deployment.status
          }
        })
      ),
    ofApplication: ({ params, query }) =>
      onTheWire(
        Effect.gen(function* () {
          const proof = yield* granted("deployment.list")
          const { skip = pageSize.skip, take = pageSize.take } = query
          return (yield* Deployments.ofApplication(proof, params.uuid, skip, take)).map(showDeployment)
        })
      ),
    log: ({ params, query }) =>
      onTheWire(
        Effect.gen(function* () {
          const proof = yield* granted("deployment.read")
          const deployment = yield* Deployments.get(proof, params.uuid)
          return yield* Deployments.log(proof, deployment, query.after ?? 0, query.limit ?? lines)
        })
      )
  })
)
