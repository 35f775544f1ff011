import { Vault } from "@slipway/domain"
import type { ServerAccess } from "@slipway/domain/deploy/containers"
import { EngineUnreachable, readProxyConfiguration } from "@slipway/domain/deploy/containers"
import type { Server } from "@slipway/domain/deploy/infrastructure"
import { isHandedOver, PrivateKeyStore } from "@slipway/domain/deploy/infrastructure"
import { Context, Effect } from "effect"
import { openEngineKey } from "./Servers.ts"

/** The path of the local container engine's socket; null selects the first common path that exists. */
export const LocalEngine = Context.Reference<{ readonly socket: string | null }>("@slipway/domain/deploy/LocalEngine", {
  defaultValue: () => ({ socket: null })
})

/**
 * Returns the connection settings of a server's container engine, with decrypted secrets. A server without a private
 * key is the platform's own machine.
 *
 * Fails for a server that is handed over to another instance, so that only one instance manages it.
 */
export const accessTo = Effect.fnUntraced(function* (server: Server) {
  if (isHandedOver(server)) {
    return yield* new EngineUnreachable({ because: "the server is being transferred to another instance" })
  }
  const configuration = server.proxyConfiguration === null ? null : readProxyConfiguration(server.proxyConfiguration)
  const reached = {
    server: server.uuid,
    connectionTimeout: server.connectionTimeout,
    ...(configuration !== null && "image" in configuration ? { proxyImage: configuration.image } : {})
  }
  if (server.engineTransport === "tls") {
    const key = yield* openEngineKey(server)
    if (server.engineAuthority === null || server.engineCertificate === null || key === null) {
      return yield* new EngineUnreachable({ because: "the server has no certificates for its engine" })
    }
    const access: ServerAccess = {
      ...reached,
      _tag: "Tcp",
      host: server.ip,
      port: server.enginePort,
      authority: server.engineAuthority,
      certificate: server.engineCertificate,
      privateKey: key
    }
    return access
  }
  if (server.privateKeyUuid === null) {
    const access: ServerAccess = { ...reached, _tag: "Local", socket: (yield* LocalEngine).socket }
    return access
  }
  const key = yield* (yield* PrivateKeyStore).find(server.privateKeyUuid)
  if (key === undefined) return yield* new EngineUnreachable({ because: "the private key of the server is gone" })
  const access: ServerAccess = {
    ...reached,
    _tag: "Ssh",
    host: server.ip,
    port: server.port,
    user: server.user,
    privateKey: yield* (yield* Vault).open({ uuid: key.uuid, field: "private_key" }, key.privateKey),
    socket: server.engineSocket
  }
  return access
})
