import { createPrivateKey, X509Certificate } from "node:crypto"
import { connect, createServer, type TLSSocket } from "node:tls"
import { describe, expect, it } from "@effect/vitest"
import { CertificateIssuer, type IssuedCertificate } from "@slipway/domain/deploy/infrastructure"
import { layerCertificateIssuer } from "@slipway/signatures/x509"
import { Effect, Redacted } from "effect"

const validity = { from: "2026-11-27T10:00:00.000Z", until: "2046-11-27T10:00:00.000Z" }
const names = ["database0000000000000000", "localhost", "127.0.0.1", "::1", "::ffff:192.0.2.1"]

const issued = Effect.gen(function* () {
  const issuer = yield* CertificateIssuer
  const authority = yield* issuer.makeAuthority("Slipway team 0", validity)
  return {
    authority,
    issuer,
    server: yield* issuer.issue(authority, names, { ...validity, until: "2027-11-27T10:00:00.000Z" })
  }
})

/** Starts a TLS server with a certificate, connects to it, and returns the error of the client, or null. */
const handshake = ({ certificate, privateKey }: IssuedCertificate, ca: string, servername: string) =>
  Effect.callback<string | null>((resume) => {
    const server = createServer({ cert: certificate, key: Redacted.value(privateKey) }, (socket) => socket.end())
    server.on("tlsClientError", () => {})
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const socket: TLSSocket = connect({ host: "127.0.0.1", port, ca, servername })
      const end = (result: string | null) => {
        socket.destroy()
        server.close()
        resume(Effect.succeed(result))
      }
      socket.on("secureConnect", () => end(null))
      socket.on("error", (error) => end("code" in error ? String(error.code) : error.message))
    })
  })

describe("the issuer of certificates", () => {
  it.effect("makes an authority that may only sign certificates", () =>
    Effect.gen(function* () {
      const { authority } = yield* issued
      const certificate = new X509Certificate(authority.certificate)
      expect(certificate.ca).toBe(true)
      expect(certificate.subject).toBe("CN=Slipway team 0")
      expect(certificate.validFromDate.toISOString()).toBe(validity.from)
      expect(certificate.validToDate.toISOString()).toBe(validity.until)
      expect(certificate.checkPrivateKey(createPrivateKey(Redacted.value(authority.privateKey)))).toBe(true)
    }).pipe(Effect.provide(layerCertificateIssuer))
  )
  it.effect("issues certificates for host names and addresses, which clients verify", () =>
    Effect.gen(function* () {
      const { authority, issuer, server } = yield* issued
      const certificate = new X509Certificate(server.certificate)
      expect(certificate.ca).toBe(false)
      expect(certificate.validToDate.toISOString()).toBe("2027-11-27T10:00:00.000Z")
      expect(certificate.subjectAltName).toBe(
        "DNS:database0000000000000000, DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:0:0:0:0:0:FFFF:C000:201"
      )
      expect(certificate.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true)
      expect(yield* handshake(server, authority.certificate, "localhost")).toBeNull()
      expect(yield* handshake(server, authority.certificate, "elsewhere")).toBe("ERR_TLS_CERT_ALTNAME_INVALID")
      const other = yield* issuer.makeAuthority("Slipway team 0", validity)
      expect(yield* handshake(server, other.certificate, "localhost")).not.toBeNull()
    }).pipe(Effect.provide(layerCertificateIssuer))
  )
  it.effect("renews an authority, so that old and new certificates are verified", () =>
    Effect.gen(function* () {
      const { authority, issuer, server } = yield* issued
      const renewed = yield* issuer.renewAuthority(authority, { ...validity, until: "2049-11-27T10:00:00.000Z" })
      expect(new X509Certificate(renewed).validToDate.toISOString()).toBe("2049-11-27T10:00:00.000Z")
      expect(yield* handshake(server, renewed, "localhost")).toBeNull()
      const next = yield* issuer.issue({ ...authority, certificate: renewed }, names, validity)
      expect(yield* handshake(next, authority.certificate, "localhost")).toBeNull()
    }).pipe(Effect.provide(layerCertificateIssuer))
  )
})
