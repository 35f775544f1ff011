import type { Socket } from "node:net"
import { MailRefused, MailUnsent } from "@slipway/domain"
import { NotificationMailer } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer, type Scope } from "effect"
import { type ConnectionOptions, type MailServer, openMailer } from "./mailer.ts"

/** Opens a TCP connection after checking the host by the instance's egress rules for user-provided addresses. */
type Connect = (
  host: string,
  port: number
) => Effect.Effect<Socket, { readonly _tag: string; readonly because: string }, Scope.Scope>

const startTlsOf = { none: "never", starttls: "required", tls: undefined } as const

/**
 * Layer that sends notification emails through the mail server of the instance or through mail servers of teams.
 *
 * Connections to mail servers of teams go through `connect`, because users choose their addresses (invariant I14).
 */
export const layerNotificationMailer = (
  instance: { readonly server: MailServer; readonly from: string } | undefined,
  connect: Connect
): Layer.Layer<never> =>
  Layer.effect(
    NotificationMailer,
    Effect.gen(function* () {
      const own = instance === undefined ? null : yield* openMailer(instance.server, instance.from)
      return {
        instance: own === null ? null : own.send,
        through: ({ clientName, encryption, from, host, port, timeout, user }, mail) =>
          Effect.gen(function* () {
            const socket = yield* connect(host, port).pipe(
              Effect.mapError(({ _tag, because }) =>
                _tag === "EgressRefused" ? new MailRefused({ problem: because }) : new MailUnsent({ problem: because })
              ),
              Effect.timeoutOrElse({
                duration: timeout * 1_000,
                orElse: () => Effect.fail(new MailUnsent({ problem: "no connection in time" }))
              })
            )
            const startTls = startTlsOf[encryption]
            const options: ConnectionOptions = {
              socket,
              timeout,
              ...(startTls === undefined ? {} : { startTls }),
              ...(clientName === null ? {} : { clientName })
            }
            const server = { host, port, encrypted: encryption === "tls", user: user ?? undefined }
            const mailer = yield* openMailer(server, { name: from.name ?? "Slipway", address: from.address }, options)
            yield* mailer.send(mail)
          }).pipe(Effect.scoped)
      }
    })
  )
