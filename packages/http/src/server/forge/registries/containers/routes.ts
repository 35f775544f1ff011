import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { answerWithPublicUrl } from "../../base/PublicUrl.ts"
import { restOfPath } from "../../code/repositoryLinks.ts"
import { containerError, unknownName } from "./answers.ts"
import { type ImageName, nameIn } from "./enterImage.ts"
import { blob, deleteBlob, deleteManifest, manifest, putManifest, referrers, tags } from "./images.ts"
import { containerPaths } from "./paths.ts"
import { giveTicket, greet } from "./token.ts"
import { append, begin, cancel, finish, status } from "./uploads.ts"

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const
type Method = (typeof methods)[number]

/** The handlers of operations on an image, by the end of the path and the HTTP method. */
const served = [
  [/^(.+)\/manifests\/([^/]+)$/, { GET: manifest, PUT: putManifest, DELETE: deleteManifest }],
  [/^(.+)\/blobs\/uploads\/?$/, { POST: begin }],
  [/^(.+)\/blobs\/uploads\/([^/]+)$/, { GET: status, PATCH: append, PUT: finish, DELETE: cancel }],
  [/^(.+)\/blobs\/([^/]+)$/, { GET: blob, DELETE: deleteBlob }],
  [/^(.+)\/tags\/list$/, { GET: tags }],
  [/^(.+)\/referrers\/([^/]+)$/, { GET: referrers }]
] as const

type Answers<H> = H extends Readonly<Record<string, infer F>> ? F : never
type Services = Effect.Services<ReturnType<Answers<(typeof served)[number][1]>>>
type Handler = (name: ImageName, last: string) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, Services>

const unsupported = containerError(405, "UNSUPPORTED", "the method is not supported here")

const noCatalog = containerError(
  501,
  "UNSUPPORTED",
  "this registry has no catalog of all images: list those of an owner by GET /api/v1/packages/{owner}?type=container"
)

const answerAt = (method: Method) =>
  Effect.gen(function* () {
    const rest = restOfPath(yield* HttpServerRequest.HttpServerRequest, 1)
    if (rest === "" || rest === "token") {
      if (method !== "GET") return unsupported
      return yield* rest === "" ? greet() : giveTicket()
    }
    if (rest === "_catalog") return noCatalog
    for (const [path, handlers] of served) {
      const [, named, last = ""] = path.exec(rest) ?? []
      if (named === undefined) continue
      const handler = (handlers as Partial<Record<Method, Handler>>)[method]
      if (handler === undefined) return unsupported
      const name = nameIn(named)
      return name === undefined
        ? containerError(400, "NAME_INVALID", "names consist of an owner and an image, such as acme/tool")
        : yield* handler(name, last)
    }
    return unknownName
  })

/** Layer with the routes of the container registry (OCI distribution specification). */
export const containerRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    for (const method of methods) yield* router.add(method, containerPaths.all, answerWithPublicUrl(answerAt(method)))
  })
)
