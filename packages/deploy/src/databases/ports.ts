import { InvalidInput, streamOf } from "@slipway/domain"
import { ApplicationStore, ProxyPorts } from "@slipway/domain/deploy/apps"
import { readPortMappings, servesDomains } from "@slipway/domain/deploy/containers"
import type { Database } from "@slipway/domain/deploy/databases"
import { DatabaseStore } from "@slipway/domain/deploy/databases"
import type { ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Option, Result, Stream } from "effect"

const taken = (by: string) =>
  new InvalidInput({ problems: { public_port: [`This port of the server is already used by ${by}.`] } })

/** Finds an application that publishes a port on a server. */
const mapping = Effect.fnUntraced(function* (uuid: ServerUuid, port: number) {
  const store = yield* ApplicationStore
  const found = yield* streamOf((window) => store.placed({ _tag: "Server", uuid }, window)).pipe(
    Stream.filter(({ configuration }) =>
      Result.getOrElse(readPortMappings(configuration.ports_mappings), () => []).some(
        ({ host, protocol }) => host === port && protocol === "tcp"
      )
    ),
    Stream.runHead
  )
  return Option.getOrUndefined(found)
})

/**
 * Fails if another database, an application or the proxy uses the public port of a database on its server.
 *
 * Ports of other software are unknown at this time: the container engine reports them when the database starts.
 */
export const requirePort = Effect.fnUntraced(function* ({
  isPublic,
  placement,
  publicPort,
  uuid
}: Pick<Database, "isPublic" | "placement" | "publicPort" | "uuid">) {
  if (!isPublic) return
  if (publicPort === null) {
    return yield* new InvalidInput({ problems: { public_port: ["Must be set for a public database."] } })
  }
  // Of two concurrent requests for a port, the second waits here and sees the first.
  const server = yield* (yield* ServerStore).lock(placement.serverUuid)
  const { http, https } = yield* ProxyPorts
  if (server !== undefined && servesDomains(server.proxyType) && [http, https].includes(publicPort)) {
    return yield* taken("its proxy")
  }
  const other = yield* (yield* DatabaseStore).publishing(placement.serverUuid, publicPort)
  if (other !== undefined && other.uuid !== uuid) return yield* taken(`the database \`${other.name}\` (${other.uuid})`)
  const application = yield* mapping(placement.serverUuid, publicPort)
  if (application === undefined) return
  return yield* taken(`the application \`${application.configuration.name ?? ""}\` (${application.uuid})`)
})
