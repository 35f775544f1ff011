import { type Tag, Tags } from "@slipway/domain/deploy"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { TagsApi } from "../../api/deploy/tags.ts"
import { toHttpErrors } from "./errors.ts"
import { granted } from "./guard.ts"

class Api extends HttpApi.make("deploy").add(TagsApi).prefix("/api/v1") {}

const showTag = ({ name, uuid }: Tag) => ({ uuid, name })

/** The handlers of an application's tags. */
export const layerTags = HttpApiBuilder.group(Api, "tags", (handlers) =>
  handlers.handleAll({
    list: ({ params }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.tag.list")
          const tags = yield* Tags.list(proof, params.uuid)
          return tags.map(showTag)
        })
      ),
    add: ({ params, payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.tag.add")
          const names = [...(payload.tag_name === undefined ? [] : [payload.tag_name]), ...(payload.tag_names ?? [])]
          const tags = yield* Tags.add(proof, params.uuid, names)
          return tags.map(showTag)
        })
      ),
    remove: ({ params }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.tag.remove")
          yield* Tags.remove(proof, params.uuid, params.tag)
          return { message: "Tag removed." }
        })
      )
  })
)
