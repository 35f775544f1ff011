import type { BlobMismatch, BlobTooLarge } from "@slipway/domain/forge/base"
import type { LoadedAction, Proof } from "@slipway/domain/forge/entry"
import type { PackageType } from "@slipway/domain/forge/registries"
import { largestPackageFile, PackageFiles, Packages } from "@slipway/forge/registries"
import { Effect, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { BodyTooLarge } from "../../wire/bodies.ts"
import type { WrongInput } from "../base/decode.ts"
import { answerTo, type HandlerError, wrongBody } from "../base/errors.ts"
import { answerWithPublicUrl, PublicUrl, referenceUrl } from "../base/PublicUrl.ts"
import { broken, sentBytes } from "../base/sentBytes.ts"
import { serve } from "../code/downloads.ts"
import { authorizeRequest } from "../entry/admission.ts"
import { recheckAuthorization, type UnreadBody } from "../entry/handle.ts"

/** The routes of the registry of generic packages. */
export const packagePaths = {
  file: "/api/packages/:username/generic/:name/:version/:file",
  version: "/api/packages/:username/generic/:name/:version"
} as const

/** Returns the package name, version and file name in the request path. */
export const fileNamed = (type: PackageType) =>
  Effect.map(HttpRouter.RouteContext, ({ params: { file = "", name = "", version = "" } }) => ({
    type,
    name,
    version,
    file
  }))

const named = fileNamed("generic")

/** The actions that registry clients perform. */
export type RegistryAction = Extract<
  LoadedAction,
  `package.file.${string}` | `package.npm.${string}` | "package.version.unpublish"
>

const { WrongInput: _, ...unread } = wrongBody

/**
 * Makes a route handler that authorizes a request and then runs `answer`; errors get the same responses as in the API.
 */
export const authorizeAndAnswer = <A extends RegistryAction, R>(
  action: A,
  answer: (
    proof: Proof<A>
  ) => Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    HandlerError | Exclude<UnreadBody, WrongInput> | BlobMismatch | BlobTooLarge,
    R
  >
) =>
  Effect.gen(function* () {
    const proof = yield* authorizeRequest(action)
    return HttpServerResponse.isHttpServerResponse(proof) ? proof : yield* answer(proof)
  }).pipe(
    Effect.catchTags({
      BlobTooLarge: () => Effect.fail(new BodyTooLarge()),
      BlobMismatch: () => Effect.fail(broken())
    }),
    Effect.catchTags(unread),
    Effect.catch(answerTo),
    answerWithPublicUrl
  )

const publish = authorizeAndAnswer("package.file.publish", (proof) =>
  Effect.gen(function* () {
    const sent = yield* sentBytes(yield* largestPackageFile)
    // Permissions are checked again after the last byte, before the owner gets any of it (invariant I7).
    const confirmed = Stream.fromEffectDrain(recheckAuthorization({ proof }))
    const bytes = Stream.concat(sent, confirmed)
    yield* PackageFiles.publish(proof, yield* named, bytes)
    return HttpServerResponse.empty({ status: 201 })
  })
)

/** Makes the handler that downloads a file or the requested byte range of it. */
export const downloadOf = <A extends "package.file.read" | "package.npm.download">(action: A, type: PackageType) =>
  authorizeAndAnswer(action, (proof) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      return yield* serve(request, yield* PackageFiles.download(proof, yield* fileNamed(type)))
    })
  )

const nothing = Effect.as(HttpServerResponse.empty({ status: 204 }))

const deleteFile = authorizeAndAnswer("package.file.delete", (proof) =>
  nothing(Effect.flatMap(named, (file) => PackageFiles.remove(proof, file)))
)

const deleteVersion = authorizeAndAnswer("package.version.unpublish", (proof) =>
  nothing(Effect.flatMap(named, (file) => Packages.remove(proof, file, file.version)))
)

/** The package types that Gitea supports and this service does not. */
export const missingRegistries = [
  "alpine",
  "arch",
  "cargo",
  "chef",
  "composer",
  "conan",
  "conda",
  "cran",
  "debian",
  "go",
  "helm",
  "maven",
  "nuget",
  "pub",
  "pypi",
  "rpm",
  "rubygems",
  "swift",
  "terraform",
  "vagrant"
] as const

const missingRegistry = (type: string) =>
  answerWithPublicUrl(
    Effect.map(PublicUrl, (served) =>
      HttpServerResponse.jsonUnsafe(
        {
          message: `this site has no registry of ${type} packages; it has generic, npm and container`,
          url: referenceUrl(served)
        },
        { status: 501 }
      )
    )
  )

/** Layer with the routes of the generic package registry: files of any kind by name and version, at Gitea's URLs. */
export const packageRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("GET", packagePaths.file, downloadOf("package.file.read", "generic"))
    yield* router.add("PUT", packagePaths.file, publish)
    yield* router.add("DELETE", packagePaths.file, deleteFile)
    yield* router.add("DELETE", packagePaths.version, deleteVersion)
    for (const type of missingRegistries)
      yield* router.add("*", `/api/packages/:username/${type}/*`, missingRegistry(type))
  })
)
