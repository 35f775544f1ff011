import { Resources } from "@slipway/deploy/databases"
import { systemOn } from "@slipway/deploy/entry"
import {
  configureProxy,
  Destinations,
  diskUse,
  forgetHostKeys,
  install,
  Metrics,
  restartProxy,
  Servers,
  validate
} from "@slipway/deploy/infrastructure"
import { proxyStatus } from "@slipway/deploy/runtime"
import { now } from "@slipway/domain"
import { composeText } from "@slipway/domain/deploy/apps"
import { authorize, type Caller } from "@slipway/domain/deploy/entry"
import {
  certificateProblem,
  type MetricPoint,
  type PrivateKeyUuid,
  type ProxyType,
  type Server
} from "@slipway/domain/deploy/infrastructure"
import { Effect, Redacted, Stream } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { coolifyProxyFields } from "../../../api/deploy/base/coolifyFields.ts"
import { type ServerChange, ServersApi } from "../../../api/deploy/infrastructure/servers.ts"
import { answerList } from "../../lists.ts"
import { createdIn, withLocation } from "../../wire/locationHeader.ts"
import { toHttpErrors } from "../base/errors.ts"
import { isSet } from "../base/flags.ts"
import { granted } from "../base/guard.ts"
import { showDestination, showDiskUse, showServer, showValidation } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(ServersApi).prefix("/api/v1") {}

type Mutable<A> = { -readonly [Key in keyof A]: A[Key] }

/** Converts the fields of a request body to the domain's names; omitted fields are left out. */
const inputOf = (body: (typeof ServerChange)["Type"]): Partial<Servers.ServerInput> => {
  const input: Mutable<Partial<Servers.ServerInput>> = {}
  if (body.name !== undefined) input.name = body.name
  if (body.ip !== undefined) input.ip = body.ip
  if (body.description !== undefined) input.description = body.description
  if (body.port !== undefined) input.port = body.port
  if (body.user !== undefined) input.user = body.user
  if (body.private_key_uuid !== undefined) input.privateKeyUuid = body.private_key_uuid as PrivateKeyUuid | null
  if (body.is_build_server !== undefined) input.isBuildServer = body.is_build_server
  if (body.proxy_type !== undefined) input.proxyType = body.proxy_type
  if (body.wildcard_domain !== undefined) input.wildcardDomain = body.wildcard_domain
  if (body.concurrent_builds !== undefined) input.concurrentBuilds = body.concurrent_builds
  if (body.deployment_queue_limit !== undefined) input.deploymentQueueLimit = body.deployment_queue_limit
  if (body.dynamic_timeout !== undefined) input.dynamicTimeout = body.dynamic_timeout
  if (body.connection_timeout !== undefined) input.connectionTimeout = body.connection_timeout
  const { server_disk_usage_check_frequency: often, server_disk_usage_notification_threshold: threshold } = body
  if (often !== undefined) input.diskCheckFrequency = often
  if (threshold !== undefined) input.diskThreshold = threshold
  if (body.is_terminal_enabled !== undefined) input.isTerminalEnabled = body.is_terminal_enabled
  if (body.engine_transport !== undefined) input.engineTransport = body.engine_transport
  if (body.engine_socket !== undefined) input.engineSocket = body.engine_socket
  if (body.engine_port !== undefined) input.enginePort = body.engine_port
  if (body.engine_authority !== undefined) input.engineAuthority = body.engine_authority
  if (body.engine_certificate !== undefined) input.engineCertificate = body.engine_certificate
  if (body.engine_key !== undefined) input.engineKey = body.engine_key === null ? null : Redacted.make(body.engine_key)
  return input
}

const showProxy = ({ proxyConfiguration, proxyType }: Server) => ({
  proxy_type: proxyType,
  configuration: proxyConfiguration,
  ...coolifyProxyFields
})

/** How many applications of a server its response contains. */
const mostResources = 1_000

const showResource = ({ _tag, row, status }: Resources.Resource) => ({
  uuid: row.uuid,
  name: "configuration" in row ? row.configuration.name : row.name,
  type: _tag.toLowerCase(),
  status
})

const showMemory = (sample: MetricPoint | undefined) =>
  sample === undefined || sample.memoryTotal === 0
    ? null
    : { percent: Math.ceil((100 * sample.memoryUsed) / sample.memoryTotal), at: sample.at }

/** Validates a server within the request that creates or changes it, and returns the validated server. */
const validateAs = Effect.fnUntraced(function* (caller: Caller, server: Server) {
  yield* Effect.flatMap(authorize(caller, "server.validate", { server }), validate)
  const { resource } = yield* systemOn("server.read", { uuid: server.uuid })
  return resource.server
}, Effect.orDie)

/** The handlers of servers and their destinations. */
export const layerServers = HttpApiBuilder.group(Api, "servers", (handlers) =>
  handlers.handleAll({
    list: ({ query: { private_key_uuid: key, ...query } }) =>
      Effect.gen(function* () {
        const proof = yield* granted("server.list")
        return yield* answerList(query, {
          page: (request) => Servers.list(proof, request, key),
          all: Servers.stream(proof, key),
          show: (servers) =>
            Effect.map(Metrics.newestAmong(proof, servers), (newest) =>
              servers.map((server) => ({ ...showServer(server), memory_use: showMemory(newest.get(server.uuid)) }))
            )
        })
      }),
    create: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("server.create")
          const input = { ...Servers.serverDefaults, ...inputOf(payload), name: payload.name, ip: payload.ip }
          const server = yield* Servers.create(proof, input)
          if (payload.instant_validate === true) yield* validateAs(proof.resource.caller, server)
          return createdIn("/api/v1/servers", server)
        })
      ),
    get: ({ query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("server.read")
          const { caller, server } = proof.resource
          const shown = { ...showServer(server), disk_use: showDiskUse(yield* diskUse(proof, server)) }
          if (query.resources === undefined || !isSet(query.resources)) return shown
          const list = yield* authorize(caller, "server.resource.list", { server })
          const resources = yield* Stream.runCollect(Stream.take(Resources.onServer(list), mostResources))
          return { ...shown, resources: resources.map(showResource) }
        })
      ),
    update: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("server.update")
          const server = yield* Servers.update(proof, inputOf(payload))
          if (payload.instant_validate !== true) return showServer(server)
          return showServer(yield* validateAs(proof.resource.caller, server))
        })
      ),
    delete: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("server.delete")
          yield* Servers.remove(proof)
          return { message: "Server deleted." }
        })
      ),
    validate: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("server.validate")
          return showValidation(yield* validate(proof))
        })
      ),
    startValidation: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("server.validate")
          const { message } = showValidation(yield* payload?.install === true ? install(proof) : validate(proof))
          return { message }
        })
      ),
    proxy: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("server.read")
          return showProxy(proof.resource.server)
        })
      ),
    updateProxy: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("server.update")
          const proxyType = payload.proxy_type?.toLowerCase() as ProxyType | undefined
          return showProxy(yield* Servers.update(proof, proxyType === undefined ? {} : { proxyType }))
        })
      ),
    configureProxy: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("server.update")
          const server = yield* configureProxy(proof, composeText(payload.configuration))
          return { message: "Proxy configuration saved.", ...showProxy(server) }
        })
      ),
    proxyStatus: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const { because, certificates, state } = yield* proxyStatus(yield* granted("server.resource.list"))
          const at = yield* now
          return {
            state,
            message: because,
            certificates: certificates.map(({ application, host, validity }) => ({
              application_uuid: application,
              host,
              valid_from: validity?.from ?? null,
              valid_until: validity?.until ?? null,
              problem: certificateProblem(validity, at)
            }))
          }
        })
      ),
    restartProxy: () =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* restartProxy(yield* granted("server.proxy.restart"))
          return { message: "Proxy restarted." }
        })
      ),
    forgetHostKeys: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("server.update")
          yield* forgetHostKeys(proof)
          return { message: "SSH host keys forgotten." }
        })
      ),
    listDestinations: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("server.destination.list")
          const destinations = yield* Destinations.list(proof)
          return destinations.map(showDestination)
        })
      ),
    createDestination: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("destination.create")
          const input = { name: payload.name ?? payload.network, network: payload.network }
          const destination = yield* Destinations.create(proof, input)
          return withLocation(`/api/v1/destinations/${destination.uuid}`, showDestination(destination))
        })
      ),
    deleteDestination: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("destination.delete")
          yield* Destinations.remove(proof)
          return { message: "Destination deleted." }
        })
      ),
    listAllDestinations: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("destination.list")
        return yield* answerList(query, {
          page: (request) => Destinations.listAll(proof, request),
          all: Destinations.streamAll(proof),
          show: (destinations) => Effect.succeed(destinations.map(showDestination))
        })
      }),
    getDestination: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("destination.read")
          return showDestination(proof.resource.destination)
        })
      ),
    updateDestination: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("destination.update")
          return showDestination(yield* Destinations.update(proof, payload))
        })
      ),
    deleteAnyDestination: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("destination.delete")
          yield* Destinations.remove(proof)
          return { message: "Destination deleted." }
        })
      )
  })
)
