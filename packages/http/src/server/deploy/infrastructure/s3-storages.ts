import { S3Storages } from "@slipway/deploy/infrastructure"
import type { S3Storage } from "@slipway/domain/deploy/infrastructure"
import { Effect, Redacted } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { type S3StorageChange, S3StoragesApi } from "../../../api/deploy/infrastructure/s3-storages.ts"
import { answerList } from "../../lists.ts"
import { createdIn } from "../../wire/locationHeader.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { definedFields, stampsOf } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(S3StoragesApi).prefix("/api/v1") {}

/** Converts an S3 storage to its API response, without its keys. */
const show = (storage: S3Storage) => ({
  ...stampsOf(storage),
  name: storage.name,
  description: storage.description,
  endpoint: storage.endpoint,
  bucket: storage.bucket,
  region: storage.region,
  is_usable: storage.isUsable,
  age_recipient: storage.recipient,
  team_id: storage.teamId
})

const redacted = (key: string | undefined) => (key === undefined ? undefined : Redacted.make(key))

const changeOf = (body: typeof S3StorageChange.Type): Partial<S3Storages.S3StorageInput> =>
  definedFields({
    name: body.name,
    description: body.description === null ? "" : body.description,
    endpoint: body.endpoint,
    bucket: body.bucket,
    region: body.region,
    accessKey: redacted(body.key),
    secretKey: redacted(body.secret),
    isUsable: body.is_usable,
    recipient: body.age_recipient
  })

/** The handlers of S3 storages. */
export const layerS3Storages = HttpApiBuilder.group(Api, "s3-storages", (handlers) =>
  handlers.handleAll({
    list: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("s3Storage.list")
        return yield* answerList(query, {
          page: (request) => S3Storages.list(proof, request),
          all: S3Storages.stream(proof),
          show: (storages) => Effect.succeed(storages.map(show))
        })
      }),
    create: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("s3Storage.create")
          const { bucket, endpoint, key, name, region, secret } = payload
          const input: S3Storages.S3StorageInput = {
            description: "",
            isUsable: true,
            recipient: null,
            ...changeOf(payload),
            name,
            endpoint,
            bucket,
            region,
            accessKey: Redacted.make(key),
            secretKey: Redacted.make(secret)
          }
          return createdIn("/api/v1/s3-storages", yield* S3Storages.create(proof, input))
        })
      ),
    get: () =>
      toHttpErrors(
        Effect.gen(function* () {
          return show((yield* granted("s3Storage.read")).resource.s3Storage)
        })
      ),
    update: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          return show(yield* S3Storages.update(yield* granted("s3Storage.update"), changeOf(payload)))
        })
      ),
    delete: () =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* S3Storages.remove(yield* granted("s3Storage.delete"))
          return { message: "S3 storage deleted." }
        })
      ),
    validate: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const problem = yield* S3Storages.validate(yield* granted("s3Storage.validate"))
          return problem === null
            ? { valid: true, message: "S3 storage connection is valid." }
            : { valid: false, message: `The connection failed: ${problem}.` }
        })
      )
  })
)
