import { Templates } from "@slipway/domain/forge"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { TemplatesApi } from "../../api/forge/templates.ts"
import { missingBody } from "./errors.ts"
import { granted } from "./guard.ts"

class Api extends HttpApi.make("forge").add(TemplatesApi).prefix("/api/v1") {}

/** The handlers of what new repositories can begin with. */
export const layerTemplates = HttpApiBuilder.group(Api, "templates", (handlers) =>
  handlers.handleAll({
    licenses: () =>
      Effect.andThen(
        granted("license.list"),
        Effect.map(Templates, ({ licenses }) => licenses)
      ),
    license: ({ params }) =>
      Effect.gen(function* () {
        yield* granted("license.read")
        return (yield* Templates).license(params.name) ?? (yield* missingBody)
      }),
    gitignores: () =>
      Effect.andThen(
        granted("gitignore-template.list"),
        Effect.map(Templates, ({ gitignores }) => gitignores)
      ),
    gitignore: ({ params }) =>
      Effect.gen(function* () {
        yield* granted("gitignore-template.read")
        const source = (yield* Templates).gitignore(params.name)
        return source === undefined ? yield* missingBody : { name: params.name, source }
      })
  })
)
