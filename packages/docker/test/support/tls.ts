import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { type AddressInfo, connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createServer } from "node:tls"
import { programPath, run } from "@slipway/docker/testing"
import { Effect, Redacted } from "effect"

/** Makes a certificate authority and certificates for `server` (localhost) and `client`. */
export const certificates = Effect.gen(function* () {
  const openssl = yield* programPath("openssl", "openssl")
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "slipway-tls-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const file = (name: string) => join(directory, name)
  const made = (name: string, ...args: ReadonlyArray<string>) =>
    run(
      openssl,
      [
        ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"],
        ...["-subj", `/CN=${name}`, "-keyout", file(`${name}.key`), "-out", file(`${name}.pem`)],
        ...args
      ],
      {}
    )
  yield* made("authority")
  writeFileSync(file("names"), "basicConstraints=CA:FALSE\nsubjectAltName=DNS:localhost,IP:127.0.0.1\n")
  for (const name of ["server", "client"]) {
    yield* made(
      name,
      "-addext",
      "subjectAltName=DNS:localhost,IP:127.0.0.1",
      "-addext",
      "basicConstraints=critical,CA:FALSE",
      "-CA",
      file("authority.pem"),
      "-CAkey",
      file("authority.key")
    )
  }
  yield* made("stranger")
  const text = (name: string) => readFileSync(file(name), "utf8")
  return {
    authority: text("authority.pem"),
    server: { cert: text("server.pem"), key: text("server.key") },
    client: { certificate: text("client.pem"), privateKey: Redacted.make(text("client.key")) },
    stranger: { certificate: text("stranger.pem"), privateKey: Redacted.make(text("stranger.key")) }
  }
})

/** Listens on TCP like an engine with TLS: only for clients with a certificate of the authority. */
export const tlsInFrontOf = (
  socket: string,
  {
    authority,
    server
  }: { readonly authority: string; readonly server: { readonly cert: string; readonly key: string } }
) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const listener = createServer(
          { ...server, ca: authority, requestCert: true, rejectUnauthorized: true },
          (client) => {
            const engine = connect(socket)
            client.pipe(engine).pipe(client)
            client.on("error", () => engine.destroy())
            engine.on("error", () => client.destroy())
          }
        )
        listener.listen(0, "127.0.0.1", () => resume(Effect.succeed(listener)))
      }),
      (listener) => Effect.sync(() => listener.close())
    ),
    (listener) => (listener.address() as AddressInfo).port
  )
