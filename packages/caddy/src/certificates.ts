import { connect as connectTcp } from "node:net"
import type { Duplex } from "node:stream"
import { connect } from "node:tls"
import type { ServedCertificate } from "@slipway/domain/deploy/containers"
import { Effect } from "effect"
import type { NoAnswer, Transport } from "./exchange.ts"

const timeout = 10_000

const openSocket = ({ address, connect }: Transport): Effect.Effect<Duplex, NoAnswer> =>
  connect ?? Effect.sync(() => connectTcp(address._tag === "Socket" ? { path: address.path } : address))

const timeOf = (text: string | undefined): string => new Date(text ?? "").toISOString()

/**
 * Returns the validity period of the certificate for a host; null if the TLS handshake fails, for example because there
 * is no certificate.
 */
const validityOn = (socket: Duplex, servername: string): Effect.Effect<ServedCertificate["validity"]> =>
  Effect.callback<ServedCertificate["validity"]>((resume) => {
    // A public authority does not sign the certificates of private hosts.
    const secure = connect({ socket, servername, rejectUnauthorized: false }, () => {
      const { valid_from, valid_to } = secure.getPeerCertificate()
      resume(Effect.succeed({ from: timeOf(valid_from), until: timeOf(valid_to) }))
      secure.destroy()
    })
    secure.on("error", () => resume(Effect.succeed(null)))
    socket.on("error", () => resume(Effect.succeed(null)))
    return Effect.sync(() => {
      secure.destroy()
      socket.destroy()
    })
  }).pipe(Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.succeed(null) }))

/** Reads the validity period of the certificate that a Caddy listener serves for a host. */
export const certificateOf = (
  listener: Transport,
  host: string
): Effect.Effect<ServedCertificate["validity"], NoAnswer> =>
  Effect.flatMap(openSocket(listener), (socket) => validityOn(socket, host))
