import { streamOf } from "@slipway/domain"
import type { Application, DomainAddress, Service } from "@slipway/domain/deploy/apps"
import { ApplicationStore, addressesOf, ServiceStore } from "@slipway/domain/deploy/apps"
import { routeAddressOf } from "@slipway/domain/deploy/containers"
import type { Database } from "@slipway/domain/deploy/databases"
import { DatabaseStore } from "@slipway/domain/deploy/databases"
import type { Authorized } from "@slipway/domain/deploy/entry"
import type { Server } from "@slipway/domain/deploy/infrastructure"
import { Effect, Stream } from "effect"
import { type RunWord, storedRunWords } from "../../apps/applications/runWord.ts"
import { storedServiceWords } from "../../apps/services/partWords.ts"
import { type DatabaseWord, storedWordOf } from "../Status.ts"

/** A resource placed on a server, with its stored run state. */
export type Resource =
  | { readonly _tag: "Application"; readonly row: Application; readonly status: RunWord }
  | { readonly _tag: "Database"; readonly row: Database; readonly status: DatabaseWord }
  | { readonly _tag: "Service"; readonly row: Service; readonly status: RunWord }

const applicationResources = Effect.fnUntraced(function* (applications: ReadonlyArray<Application>) {
  const wordOf = yield* storedRunWords(applications)
  return applications.map((row): Resource => ({ _tag: "Application", row, status: wordOf(row) }))
})

const inGroups = 200

const applicationsBy = (stream: Stream.Stream<Application, never, ApplicationStore>) =>
  stream.pipe(Stream.grouped(inGroups), Stream.mapEffect(applicationResources), Stream.flattenIterable)

const databases = Stream.unwrap(Effect.map(DatabaseStore, ({ list }) => streamOf(list))).pipe(
  Stream.map((row): Resource => ({ _tag: "Database", row, status: storedWordOf(row) }))
)

const services = Stream.unwrap(Effect.map(ServiceStore, ({ list }) => streamOf(list))).pipe(
  Stream.grouped(inGroups),
  Stream.mapEffect(
    Effect.fnUntraced(function* (rows: ReadonlyArray<Service>) {
      const wordsOf = yield* storedServiceWords(rows)
      return rows.map((row): Resource => ({ _tag: "Service", row, status: wordsOf(row.uuid).service }))
    })
  ),
  Stream.flattenIterable
)

/** Streams all resources placed on servers: applications, databases, and services. */
export const stream = (_: Authorized<"resource.read">) =>
  applicationsBy(Stream.unwrap(Effect.map(ApplicationStore, ({ list }) => streamOf(list)))).pipe(
    Stream.concat(databases),
    Stream.concat(services)
  )

const on = (server: Server) =>
  Stream.unwrap(
    Effect.map(ApplicationStore, (store) =>
      streamOf((window) => store.placed({ _tag: "Server", uuid: server.uuid }, window))
    )
  )

/** Streams the applications that are placed on a server. */
export const onServer = ({ resource }: Authorized<"server.read">) => applicationsBy(on(resource.server))

/** How many applications an environment's response contains. */
const mostShown = 1_000

/** Lists the applications of an environment, oldest first, the first thousand. */
export const inEnvironment = Effect.fnUntraced(function* ({ resource }: Authorized<"environment.read">) {
  const where = { _tag: "Environment", uuid: resource.environment.uuid } as const
  return yield* applicationResources(yield* (yield* ApplicationStore).placed(where, { limit: mostShown }))
})

/** The address of a server and the hosts that lead to it. */
export interface ServerDomains {
  readonly ip: string
  readonly domains: ReadonlyArray<string>
}

const hostOf = (address: DomainAddress) => routeAddressOf(address).host

/** Lists the hosts of the applications that are placed on a server, in order. */
export const domainsOf = Effect.fnUntraced(function* ({ resource }: Authorized<"server.read">) {
  const { server } = resource
  const hosts = yield* Stream.runFold(
    on(server),
    () => new Set<string>(),
    (known, application) => {
      for (const address of addressesOf(application)) known.add(hostOf(address))
      return known
    }
  )
  return { ip: server.ip, domains: [...hosts].sort() } satisfies ServerDomains
})
