import { type LoadedAction, PackageFiles, Packages, type Proof, SiteSettings } from "@slipway/domain/forge"
import { ByteSize, Context, Effect, Stream } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { BodyNotJson, BodyTooLarge } from "../bodies.ts"
import { admitted } from "./admission.ts"
import { serve } from "./downloads.ts"
import { answerTo, type HandlerError, wrongBody } from "./errors.ts"
import { LongestSilence } from "./git/LongestSilence.ts"
import { stillAdmitted } from "./handle.ts"
import { reached } from "./PublicUrl.ts"

/** The paths of the registry of generic packages. */
export const packagePaths = {
  file: "/api/packages/:username/generic/:name/:version/:file",
  version: "/api/packages/:username/generic/:name/:version"
} as const

const named = Effect.map(HttpRouter.RouteContext, ({ params: { file = "", name = "", version = "" } }) => ({
  type: "generic",
  name,
  version,
  file
}))

type RegistryAction = Extract<LoadedAction, `package.file.${string}` | "package.version.unpublish">

const broken = () => new BodyNotJson({ sentence: "The body broke off." })

/** Lets a request in and answers it, as the API answers what fails. */
const answering = <A extends RegistryAction, R>(
  action: A,
  answer: (
    proof: Proof<A>,
    file: PackageFiles.PackageFileName
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, HandlerError | BodyNotJson | BodyTooLarge, R>
) =>
  Effect.gen(function* () {
    const proof = yield* admitted(action)
    return HttpServerResponse.isHttpServerResponse(proof) ? proof : yield* answer(proof, yield* named)
  }).pipe(
    Effect.catchTags({ BodyNotJson: wrongBody.BodyNotJson, BodyTooLarge: wrongBody.BodyTooLarge }),
    Effect.catch(answerTo),
    reached
  )

const megabyte = 1_048_576

const publish = answering("package.file.publish", (proof, file) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { packages } = yield* SiteSettings
    const bounds = Context.make(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(packages.maxFileSize * megabyte + 1))
    const sent = Stream.mapError(Stream.provideContext(request.stream, bounds), broken)
    // Rights are asked for once more behind the last byte, before the owner has anything of it (invariant I7).
    const confirmed = Stream.fromEffectDrain(stillAdmitted({ proof }))
    yield* PackageFiles.publish(proof, file, Stream.concat(Stream.timeout(sent, yield* LongestSilence), confirmed))
    return HttpServerResponse.empty({ status: 201 })
  }).pipe(
    Effect.catchTags({
      BlobTooLarge: () => Effect.fail(new BodyTooLarge()),
      BlobMismatch: () => Effect.fail(broken())
    })
  )
)

const download = answering("package.file.read", (proof, file) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    return yield* serve(request, yield* PackageFiles.download(proof, file))
  })
)

const nothing = Effect.as(HttpServerResponse.empty({ status: 204 }))

const deleteFile = answering("package.file.delete", (proof, file) => nothing(PackageFiles.remove(proof, file)))

const deleteVersion = answering("package.version.unpublish", (proof, file) =>
  nothing(Packages.remove(proof, file, file.version))
)

/** Serves generic packages to programs, at the addresses that they know: files of any kind, by name and version. */
export const packageRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("GET", packagePaths.file, download)
    yield* router.add("PUT", packagePaths.file, publish)
    yield* router.add("DELETE", packagePaths.file, deleteFile)
    yield* router.add("DELETE", packagePaths.version, deleteVersion)
  })
)
