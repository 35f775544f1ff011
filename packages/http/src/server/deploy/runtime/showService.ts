import { numbersOf, type ServiceWords } from "@slipway/deploy/apps"
import type { Service, ServicePart } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import { coolifyServiceFields } from "../../../api/deploy/base/coolifyFields.ts"
import { stampsOf } from "../base/show.ts"

const shownPart = (service: Service, part: ServicePart, { partOf }: ServiceWords) => ({
  uuid: part.uuid as string,
  service_uuid: service.uuid as string,
  name: part.name,
  human_name: part.humanName,
  description: part.description,
  image: part.image ?? part.composeImage,
  exclude_from_status: part.isExcludedFromStatus,
  is_log_drain_enabled: false as const,
  is_stopped: part.isStopped,
  status: partOf(part)
})

/** Converts an application of a service to its API response. */
export const showServiceApplication = (service: Service, part: ServicePart, words: ServiceWords) => ({
  ...shownPart(service, part, words),
  fqdn: service.urls.find(({ name }) => name === part.name)?.url || null,
  is_gzip_enabled: false as const,
  is_stripprefix_enabled: false as const
})

/** Converts a database of a service to its API response. */
export const showServiceDatabase = (service: Service, part: ServicePart, words: ServiceWords) => ({
  ...shownPart(service, part, words),
  is_public: false as const,
  public_port: null
})

type Numbers = Effect.Success<ReturnType<typeof numbersOf>>

/** Converts a service with its parts to its API response; `numberOf` returns numeric ids by uuid. */
const showService = (service: Service, words: ServiceWords, numberOf: Numbers) => ({
  ...stampsOf(service),
  name: service.name,
  description: service.description,
  project_uuid: service.placement.projectUuid,
  environment_uuid: service.placement.environmentUuid,
  environment_name: service.placement.environmentName,
  server_uuid: service.placement.serverUuid,
  destination_uuid: service.placement.destinationUuid,
  server_id: numberOf(service.placement.serverUuid) ?? 0,
  destination_id: numberOf(service.placement.destinationUuid) ?? 0,
  environment_id: numberOf(service.placement.environmentUuid) ?? 0,
  docker_compose_raw: service.dockerComposeRaw,
  docker_compose: service.dockerComposeRaw,
  urls: service.urls,
  domains: service.urls.map(({ url }) => url),
  service_type: service.template,
  connect_to_docker_network: service.connectsToNetwork,
  is_container_label_escape_enabled: true as const,
  status: words.service,
  ...coolifyServiceFields,
  applications: service.parts
    .filter(({ type }) => type === "application")
    .map((part) => showServiceApplication(service, part, words)),
  databases: service.parts
    .filter(({ type }) => type === "database")
    .map((part) => showServiceDatabase(service, part, words))
})

/** Converts services to API responses; reads the numeric ids of their environments and servers in one query. */
export const showServices = Effect.fnUntraced(function* (
  services: ReadonlyArray<Service>,
  wordsOf: (service: Service) => ServiceWords
) {
  const numberOf = yield* numbersOf(
    services.flatMap(({ placement }) => [placement.serverUuid, placement.destinationUuid, placement.environmentUuid])
  )
  return services.map((service) => showService(service, wordsOf(service), numberOf))
})

/** Converts one service to its API response. */
export const showOneService = Effect.fnUntraced(function* (service: Service, words: ServiceWords) {
  const [shown] = yield* showServices([service], () => words)
  // INVARIANT: one result for one service.
  return shown as NonNullable<typeof shown>
})
