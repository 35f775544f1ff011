import { Exports, Imports, Migrations } from "@slipway/deploy/runtime"
import { InvalidInput, now } from "@slipway/domain"
import { isLocalServer, type Server } from "@slipway/domain/deploy/infrastructure"
import { bundleFormat, bundleVersion } from "@slipway/domain/deploy/runtime"
import { Effect, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { type ServerClaim, TransfersApi } from "../../../api/deploy/runtime/transfers.ts"
import { toHttpErrors } from "../base/errors.ts"
import { isSet } from "../base/flags.ts"
import { granted } from "../base/guard.ts"
import { rootUrlOf } from "../identity/SignInSite.ts"

class Api extends HttpApi.make("deploy").add(TransfersApi).prefix("/api/v1") {}

const showEnvelope = ({ data, exportId }: Exports.Envelope) => ({
  format: bundleFormat,
  version: bundleVersion,
  encrypted: true as const,
  encryption: "age" as const,
  export_id: exportId,
  data
})

const asFile = (envelope: Exports.Envelope): string => `${JSON.stringify(showEnvelope(envelope), null, 2)}\n`

/** Returns the text of the file on a server that names the instance which manages the server. */
const ownerFileOf = Effect.fnUntraced(function* (uuid: string) {
  const instance = yield* rootUrlOf(yield* HttpServerRequest.HttpServerRequest)
  return `${JSON.stringify({ instance_url: instance, server_uuid: uuid, claimed_at: yield* now }, null, 2)}\n`
})

const isReachedBySsh = (server: Server): boolean => server.engineTransport === "ssh" && !isLocalServer(server)

/** Converts the options of a claim. `writes` is whether the file is written if the request does not say so. */
const claimOptions = Effect.fnUntraced(function* (
  uuid: string,
  body: Partial<typeof ServerClaim.Type> | undefined,
  writes: boolean
) {
  const ownerFile = (body?.write_remote ?? writes) ? yield* ownerFileOf(uuid) : null
  return { ownerFile, takesMetrics: body?.rebind_sentinel ?? true } satisfies Imports.ClaimOptions
})

const showImport = ({ counts, exportId, isRepeated, renamed, server }: Imports.Imported) => ({
  uuid: server.uuid,
  export_id: exportId,
  repeated: isRepeated,
  resources: counts,
  renamed
})

const sentence = (because: string): string => `${because.charAt(0).toUpperCase()}${because.slice(1)}.`

/** Returns why a server could not be claimed after its import; the claim can be repeated. */
const claimError = (error: { readonly _tag: string }): string =>
  "because" in error && typeof error.because === "string"
    ? sentence(error.because)
    : error._tag === "InvalidInput"
      ? "Needs a server that the platform reaches by SSH (write_remote)."
      : "The server cannot be claimed."

/** The handlers of transfers of servers. */
export const layerTransfers = HttpApiBuilder.group(Api, "transfers", (handlers) =>
  handlers.handleAll({
    export: ({ query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          if (query.encrypt !== undefined && !isSet(query.encrypt)) {
            const problems = { encrypt: ["Must be true: a bundle contains secrets, which no response contains."] }
            return yield* new InvalidInput({ problems })
          }
          const proof = yield* granted("server.export")
          return showEnvelope(yield* Exports.exportServer(proof, Redacted.make(query.passphrase)))
        })
      ),
    begin: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("server.transfer")
          return showEnvelope(yield* Exports.begin(proof, Redacted.make(payload.passphrase)))
        })
      ),
    toMailbox: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("server.transfer")
          const { exportId, path } = yield* Exports.writeToServer(proof, Redacted.make(payload.passphrase), asFile)
          return { message: "Bundle written.", export_id: exportId, path }
        })
      ),
    import: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("server.import")
          const received = { data: payload.bundle.data, passphrase: Redacted.make(payload.passphrase) }
          if (payload.dry_run === true) {
            const tried = yield* Imports.tryImport(proof, received)
            const result = { message: "The server can be imported.", dry_run: true as const }
            return { ...result, ...showImport(tried), claimed: false, claim_error: null }
          }
          const imported = yield* Imports.importServer(proof, received)
          const result = { message: "Server imported.", dry_run: false as const, ...showImport(imported) }
          if (imported.server.transfer?.state === "claimed") return { ...result, claimed: true, claim_error: null }
          if (payload.claim === false) return { ...result, claimed: false, claim_error: null }
          const options = yield* claimOptions(imported.server.uuid, payload, false)
          const failure = yield* Imports.mayClaim(proof, imported.server.uuid).pipe(
            Effect.flatMap((claims) => Imports.claim(claims, options)),
            Effect.as(null),
            Effect.catch((error) => Effect.succeed(claimError(error)))
          )
          return { ...result, claimed: failure === null, claim_error: failure }
        })
      ),
    claim: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("server.transfer")
          const { server } = proof.resource
          yield* Imports.claim(proof, yield* claimOptions(server.uuid, payload, isReachedBySsh(server)))
          return { message: "Server claimed.", uuid: server.uuid, claimed: true as const }
        })
      ),
    complete: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("server.transfer")
          const { exportId } = yield* Exports.complete(proof, {
            exportId: payload?.export_id ?? null,
            targetUrl: payload?.target_instance_url ?? null
          })
          return { message: "Server transferred.", uuid: proof.resource.server.uuid, export_id: exportId }
        })
      ),
    cancel: () =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* Exports.cancel(yield* granted("server.transfer"))
          return { message: "Transfer cancelled." }
        })
      ),
    migrate: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("server.transfer")
          const { exportId } = yield* Migrations.migrate(proof, {
            targetUrl: payload.target_url,
            targetToken: Redacted.make(payload.target_token),
            writesRemote: payload.write_remote ?? false,
            rebindsSentinel: payload.rebind_sentinel ?? true,
            bodyOf: showEnvelope
          })
          return { message: "Server transferred.", uuid: proof.resource.server.uuid, export_id: exportId }
        })
      )
  })
)
