import { type Entity, streamOf } from "@slipway/domain"
import type { Application, DomainAddress, Service } from "@slipway/domain/deploy/apps"
import { ApplicationStore, addressesOf, ServiceStore } from "@slipway/domain/deploy/apps"
import { routeAddressOf } from "@slipway/domain/deploy/containers"
import type { Database } from "@slipway/domain/deploy/databases"
import { DatabaseStore } from "@slipway/domain/deploy/databases"
import type { Action, Authorized, Caller } from "@slipway/domain/deploy/entry"
import type { VisibleCollection } from "@slipway/domain/deploy/identity"
import type { Server } from "@slipway/domain/deploy/infrastructure"
import { type Context, Effect, Stream } from "effect"
import { type RunWord, storedRunWords } from "../../apps/applications/runWord.ts"
import { storedServiceWords } from "../../apps/services/partWords.ts"
import { readableBy } from "../../base/reading/listUseCases.ts"
import { type DatabaseWord, storedWordOf } from "../Status.ts"

/** An application, a database or a service on a server, with its stored run state. */
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

/** Streams the rows of a store that a caller may read. */
const readable = <Id, Row extends Entity>(
  caller: Caller,
  reads: Action,
  store: Context.Service<Id, VisibleCollection<Row>>
) => Stream.unwrap(Effect.map(store, (collection) => streamOf(readableBy(caller, reads, collection).list)))

const databases = (caller: Caller) =>
  readable(caller, "database.read", DatabaseStore).pipe(
    Stream.map((row): Resource => ({ _tag: "Database", row, status: storedWordOf(row) }))
  )

const services = (caller: Caller) =>
  readable(caller, "service.read", ServiceStore).pipe(
    Stream.grouped(inGroups),
    Stream.mapEffect(
      Effect.fnUntraced(function* (rows: ReadonlyArray<Service>) {
        const wordsOf = yield* storedServiceWords(rows)
        return rows.map((row): Resource => ({ _tag: "Service", row, status: wordsOf(row.uuid).service }))
      })
    ),
    Stream.flattenIterable
  )

/** Streams all applications, databases and services on servers that the caller may read. */
export const stream = ({ resource: { caller } }: Authorized<"resource.read">) =>
  applicationsBy(readable(caller, "application.read", ApplicationStore)).pipe(
    Stream.concat(databases(caller)),
    Stream.concat(services(caller))
  )

const on = (server: Server) =>
  Stream.unwrap(
    Effect.map(ApplicationStore, (store) =>
      streamOf((window) => store.placed({ _tag: "Server", uuid: server.uuid }, window))
    )
  )

/** Streams the applications that are placed on a server. */
export const onServer = ({ resource }: Authorized<"server.resource.list">) => applicationsBy(on(resource.server))

/** Maximum number of applications in the response for an environment. */
const mostShown = 1_000

/** Lists the first thousand applications of an environment, oldest first. */
export const inEnvironment = Effect.fnUntraced(function* ({ resource }: Authorized<"environment.read">) {
  const where = { _tag: "Environment", uuid: resource.environment.uuid } as const
  return yield* applicationResources(yield* (yield* ApplicationStore).placed(where, { limit: mostShown }))
})

/** The IP address of a server, and the hosts that are routed to the server. */
export interface ServerDomains {
  readonly ip: string
  readonly domains: ReadonlyArray<string>
}

const hostOf = (address: DomainAddress) => routeAddressOf(address).host

/** Lists the hosts of the applications that are placed on a server, in alphabetical order. */
export const domainsOf = Effect.fnUntraced(function* ({ resource }: Authorized<"server.resource.list">) {
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
