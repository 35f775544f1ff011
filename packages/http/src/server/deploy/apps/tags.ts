import { Tags } from "@slipway/deploy/apps"
import type { Tag } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { type TagAddition, TagsApi } from "../../../api/deploy/apps/tags.ts"
import { answerList } from "../../lists.ts"
import { withLocation } from "../../wire/locationHeader.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"

class Api extends HttpApi.make("deploy").add(TagsApi).prefix("/api/v1") {}

/** Converts a tag to its API response. */
export const showTag = (tag: Tag) => ({
  uuid: tag.uuid as string,
  name: tag.name,
  created_at: tag.createdAt,
  updated_at: tag.updatedAt
})

/** Returns the names of the tags that a request adds. */
export const namesIn = ({ tag_name: name, tag_names: names = [] }: typeof TagAddition.Type) => [
  ...(name === undefined ? [] : [name]),
  ...names
]

/** The handlers of tags, and of the tags of an application. */
export const layerTags = HttpApiBuilder.group(Api, "tags", (handlers) =>
  handlers.handleAll({
    list: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.tag.list")
          const tags = yield* Tags.list(proof)
          return tags.map(showTag)
        })
      ),
    add: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.tag.add")
          const tags = yield* Tags.add(proof, namesIn(payload))
          return tags.map(showTag)
        })
      ),
    remove: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.tag.remove")
          yield* Tags.remove(proof)
          return { message: "Tag removed." }
        })
      ),
    listAll: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("tag.list")
        return yield* answerList(query, {
          page: (request) => Tags.listAll(proof, request),
          all: Tags.streamAll(proof),
          show: (tags) => Effect.succeed(tags.map(showTag))
        })
      }),
    create: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("tag.create")
          const tag = yield* Tags.create(proof, payload.name)
          return withLocation(`/api/v1/tags/${tag.uuid}`, showTag(tag))
        })
      ),
    get: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("tag.read")
          return showTag(proof.resource.tag)
        })
      ),
    rename: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("tag.update")
          return showTag(yield* Tags.rename(proof, payload.name))
        })
      ),
    delete: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("tag.delete")
          yield* Tags.removeAny(proof)
          return { message: "Tag deleted." }
        })
      )
  })
)
