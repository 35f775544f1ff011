import { ServiceParts, serviceWords, storedServiceWords } from "@slipway/deploy/apps"
import type { Service, ServicePart } from "@slipway/domain/deploy/apps"
import { type Authorized, authorize } from "@slipway/domain/deploy/entry"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import type { QueryFlag } from "../../../api/deploy/base/schemas.ts"
import {
  type ServiceApplicationChange,
  type ServiceDatabaseChange,
  ServicePartsApi
} from "../../../api/deploy/runtime/service-parts.ts"
import { queuedAnswer } from "../apps/runs.ts"
import { toHttpErrors } from "../base/errors.ts"
import { isSet } from "../base/flags.ts"
import { granted } from "../base/guard.ts"
import { readLogs } from "./logs.ts"
import { showServiceApplication, showServiceDatabase } from "./showService.ts"

class Api extends HttpApi.make("deploy").add(ServicePartsApi).prefix("/api/v1") {}

type Show<Shown> = (service: Service, part: ServicePart, words: Parameters<typeof showServiceApplication>[2]) => Shown

const list = <Shown>(type: ServicePart["type"], show: Show<Shown>) =>
  toHttpErrors(
    Effect.gen(function* () {
      const proof = yield* granted("service.read")
      const words = yield* serviceWords(proof)
      return ServiceParts.list(proof, type).map((part) => show(proof.resource.service, part, words))
    })
  )

const get = <Shown>(show: Show<Shown>) =>
  toHttpErrors(
    Effect.gen(function* () {
      const { resource } = yield* granted("service.part.read")
      const { application, caller, part, service } = resource
      const reading: Authorized<"service.read"> = yield* authorize(caller, "service.read", { application, service })
      return show(service, part, yield* serviceWords(reading))
    })
  )

/** Converts a request body to the input of the use case; an empty image means the image of the compose file. */
const inputOf = ({
  description,
  exclude_from_status: excludes,
  human_name: humanName,
  image
}: typeof ServiceApplicationChange.Type | typeof ServiceDatabaseChange.Type): ServiceParts.PartInput => ({
  ...(description === undefined ? {} : { description }),
  ...(excludes === undefined ? {} : { isExcludedFromStatus: excludes ?? false }),
  ...(humanName === undefined ? {} : { humanName }),
  ...(image === undefined ? {} : { image: image === "" ? null : image })
})

const update = <Shown>(input: ServiceParts.PartInput, override: boolean, show: Show<Shown>) =>
  toHttpErrors(
    Effect.gen(function* () {
      const proof = yield* granted("service.part.update")
      const { part, service } = yield* ServiceParts.update(proof, input, override)
      const wordsOf = yield* storedServiceWords([service])
      return show(service, part, wordsOf(service.uuid))
    })
  )

const logs = ({ query }: { readonly query: { readonly lines?: number } }) =>
  toHttpErrors(
    Effect.gen(function* () {
      const proof = yield* granted("service.part.logs")
      const { logs } = yield* readLogs(proof, { ...query, service: proof.resource.part.name })
      return { logs }
    })
  )

const start =
  (what: string) =>
  ({ query }: { readonly query: { readonly force?: typeof QueryFlag.Type } }) =>
    toHttpErrors(
      Effect.gen(function* () {
        const proof = yield* granted("service.part.deploy.request")
        return queuedAnswer(`Service ${what} starting request queued.`)(
          yield* ServiceParts.start(proof, isSet(query.force))
        )
      })
    )

const restart = (what: string) => () =>
  toHttpErrors(
    Effect.gen(function* () {
      const proof = yield* granted("service.part.deploy.request")
      return queuedAnswer(`Service ${what} restarting request queued.`)(yield* ServiceParts.restart(proof))
    })
  )

const stop = (what: string) => () =>
  toHttpErrors(
    Effect.gen(function* () {
      const proof = yield* granted("service.part.deploy")
      return queuedAnswer(`Service ${what} stopping request queued.`)(yield* ServiceParts.stop(proof))
    })
  )

/** The handlers of the applications and databases of services. */
export const layerServiceParts = HttpApiBuilder.group(Api, "serviceParts", (handlers) =>
  handlers.handleAll({
    listApplications: () => list("application", showServiceApplication),
    getApplication: () => get(showServiceApplication),
    updateApplication: ({ payload, query }) => {
      const { url } = payload
      const input = { ...inputOf(payload), ...(url === undefined ? {} : { url }) }
      return update(input, isSet(query.force_domain_override), showServiceApplication)
    },
    applicationLogs: logs,
    applicationLogsByPost: logs,
    startApplication: start("application"),
    restartApplication: restart("application"),
    stopApplication: stop("application"),
    listDatabases: () => list("database", showServiceDatabase),
    getDatabase: () => get(showServiceDatabase),
    updateDatabase: ({ payload }) => update(inputOf(payload), false, showServiceDatabase),
    databaseLogs: logs,
    startDatabase: start("database"),
    restartDatabase: restart("database"),
    stopDatabase: stop("database")
  })
)
