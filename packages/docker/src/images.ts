import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import {
  BuildFailed,
  type BuildOptions,
  type Engine,
  type EngineFailure,
  EngineRefused,
  fullName,
  type Image,
  ImageNotFound,
  imageOwner,
  imageReference,
  imageRepository,
  isOwnLabel,
  labelsOf,
  type Owner,
  type Progress,
  type PushProgress,
  type RegistryCredentials,
  ResourceInUse
} from "@slipway/domain/deploy/containers"
import { Effect, Option, Redacted, Schema, Stream } from "effect"
import { type Answer, type Api, answerDecoder, inPath, orNone, refusal } from "./client.ts"
import { progressOf } from "./progress.ts"
import { plainReference, splitReference, wholeId } from "./references.ts"
import { anonymous, authorizationOf, registriesOf } from "./registryHeaders.ts"

const ImageShown = Schema.Struct({
  Id: Schema.String,
  RepoTags: orNone(Schema.Array(Schema.String)),
  Size: Schema.Number,
  Config: orNone(Schema.Struct({ ExposedPorts: orNone(Schema.Record(Schema.String, Schema.Unknown)) }))
})
const ImagesListed = Schema.Array(Schema.Struct({ Id: Schema.String, RepoTags: orNone(Schema.Array(Schema.String)) }))

const imageOf = (shown: (typeof ImageShown)["Type"]): Image => {
  return {
    id: wholeId(shown.Id),
    tags: (shown.RepoTags ?? []).map(plainReference).filter((tag) => !tag.includes("<none>")),
    size: shown.Size,
    ports: Object.keys(shown.Config?.ExposedPorts ?? {})
      .map((port) => Number.parseInt(port, 10))
      .toSorted((one, other) => one - other)
  }
}

const readImage = answerDecoder(ImageShown)
const readImages = answerDecoder(ImagesListed)

/** Finds an image on an engine by its reference. */
const inspectImage = (api: Api, reference: string): Effect.Effect<Image, EngineFailure | ImageNotFound> =>
  Effect.flatMap(
    api.ask({ method: "GET", path: `/images/${inPath(reference)}/json` }),
    (answer): Effect.Effect<Image, EngineFailure | ImageNotFound> =>
      answer.status === 404
        ? Effect.fail(new ImageNotFound({ reference, because: answer.because }))
        : Effect.map(readImage(answer), imageOf)
  )

const asProgress = (image: Image): Progress => ({ _tag: "Image", image })

const refusedPull = (reference: string, status: number, because: string): ImageNotFound | EngineRefused =>
  status === 404 ||
  /not found|manifest unknown|no such (?:image|manifest)|denied|unauthorized|authentication required|does not exist/i.test(
    because
  )
    ? new ImageNotFound({ reference, because })
    : new EngineRefused({ because })

const pull = (
  api: Api,
  reference: string,
  credentials?: RegistryCredentials
): Stream.Stream<Progress, EngineFailure | ImageNotFound> => {
  // A short name could be resolved at another registry than that of its credentials (invariant I15).
  const [fromImage, tag] = splitReference(credentials === undefined ? reference : fullName(reference))
  const bytes = api.follow(
    {
      method: "POST",
      path: "/images/create",
      query: { fromImage, tag },
      headers: credentials === undefined ? {} : authorizationOf(credentials)
    },
    ({ because, status }: Answer) => refusedPull(reference, status, because)
  )
  const [plain] = splitReference(reference)
  const named = tag.startsWith("sha256:") ? `${plain}@${tag}` : `${plain}:${tag}`
  return Stream.concat(
    progressOf(bytes, (because) => refusedPull(reference, 0, because)),
    Stream.fromEffect(Effect.map(inspectImage(api, named), asProgress))
  )
}

// Engines close a connection if the first line and headers exceed 1 MiB, often before they answer.
const mostAsked = 1_000_000
const mostNamed = 5

/**
 * Returns why a build request is too long; undefined if it is not. Build arguments are part of the request line, and
 * the length of that line is limited.
 */
const tooLong = (
  query: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
  values: BuildOptions["arguments"]
): string | undefined => {
  const lengthOf = (pairs: Readonly<Record<string, string>>) => new URLSearchParams(pairs).toString().length
  const length = lengthOf(query) + lengthOf(headers)
  if (length <= mostAsked) return undefined
  const longest = values
    .map(([name, value]) => [name, lengthOf({ value: JSON.stringify(Redacted.value(value)) })] as const)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, mostNamed)
    .map(([name]) => `\`${name}\``)
  const count = (number: number) => number.toLocaleString("en")
  return `build arguments and labels have ${count(length)} characters in the request, and engines accept at most ${count(mostAsked)}; the longest belong to ${longest.join(", ")}`
}

/**
 * Podman's option that runs build steps in a separate network. Without it, they use the network of the server,
 * including its loopback address.
 */
const ownNetwork = JSON.stringify([{ Name: "network", Host: false, Path: "" }])

const build = <E, R>(
  api: Api,
  context: Stream.Stream<Uint8Array, E, R>,
  { arguments: values, credentials, dockerfile, fresh, labels, owner, target }: BuildOptions
): Stream.Stream<Progress, EngineFailure | BuildFailed | E, R> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const services = yield* Effect.context<R>()
      let broken: E | undefined
      // The client reports a failure of the archive as one of the connection: the original is kept here.
      const archive = context.pipe(
        Stream.tapError((error) =>
          Effect.sync(() => {
            broken = error
          })
        ),
        Stream.provideContext(services)
      )
      const tag = imageReference(owner)
      const query = {
        t: tag,
        dockerfile,
        buildargs: JSON.stringify(Object.fromEntries(values.map(([name, value]) => [name, Redacted.value(value)]))),
        labels: JSON.stringify({
          ...Object.fromEntries(labels.filter(([name]) => !isOwnLabel(name))),
          ...labelsOf(owner)
        }),
        ...(target === null ? {} : { target }),
        ...(api.product === "podman" ? { nsoptions: ownNetwork } : {}),
        nocache: String(fresh),
        rm: "true",
        forcerm: "true"
      }
      const headers = registriesOf(api, credentials)
      const because = tooLong(query, headers, values)
      if (because !== undefined) return yield* new BuildFailed({ because })
      const bytes = api.follow(
        {
          method: "POST",
          path: "/build",
          query,
          headers,
          archive
        },
        (answer): EngineRefused | BuildFailed =>
          answer.status >= 500 ? refusal(answer) : new BuildFailed({ because: refusal(answer).because })
      )
      const progress: Stream.Stream<Progress, EngineFailure | BuildFailed> = Stream.concat(
        progressOf(bytes, (because) => new BuildFailed({ because })),
        Stream.fromEffect(
          inspectImage(api, tag).pipe(
            Effect.map(asProgress),
            Effect.catchTag("ImageNotFound", () =>
              Effect.fail(new BuildFailed({ because: "the build finished without an image" }))
            )
          )
        )
      )
      return Stream.mapError(progress, (error) => broken ?? error)
    })
  )

// Podman 4 sometimes kills the step of a build when an earlier, aborted one exits.
const killed = /while running runtime: signal: killed/

/** Builds an image. Retries once if Podman killed a build step without a reason. */
const buildAgain = <E, R>(api: Api, context: Stream.Stream<Uint8Array, E, R>, options: BuildOptions) => {
  const first = build(api, context, options)
  if (api.product !== "podman") return first
  return Stream.catchIf(
    first,
    (error): error is BuildFailed => error instanceof BuildFailed && killed.test(error.because),
    () => build(api, context, options)
  )
}

// The last line of a push, by both engines: `stable: digest: sha256:… size: 528`.
const pushedDigest = /: digest: (sha256:[0-9a-f]{64}) size: \d+$/

/** Pushes an image to a registry. The engine tags the image with the reference for the duration of the push. */
const push = (
  api: Api,
  image: string,
  reference: string,
  credentials?: RegistryCredentials
): Stream.Stream<PushProgress, EngineFailure | ImageNotFound> => {
  const [repo, tag] = splitReference(fullName(reference))
  const named = Effect.flatMap(
    api.ask({ method: "POST", path: `/images/${inPath(image)}/tag`, query: { repo, tag } }),
    (answer): Effect.Effect<void, EngineFailure | ImageNotFound> => {
      if (answer.status < 400) return Effect.void
      const { because } = answer
      return Effect.fail(answer.status === 404 ? new ImageNotFound({ reference: image, because }) : refusal(answer))
    }
  )
  const forgotten = Effect.ignore(
    api.ask({
      method: "DELETE",
      path: `/images/${inPath(`${repo}:${tag}`)}`,
      query: { force: "false", noprune: "true" }
    })
  )
  const bytes = api.follow(
    {
      method: "POST",
      path: `/images/${inPath(repo)}/push`,
      query: { tag },
      // Docker requires the header, also without credentials.
      headers: credentials === undefined ? anonymous : authorizationOf(credentials)
    },
    refusal
  )
  const failed = (because: string) => new EngineRefused({ because })
  let digest: string | undefined
  const lines = progressOf(bytes, failed).pipe(
    Stream.flatMap((step): Stream.Stream<PushProgress> => {
      if (step._tag !== "Line") return Stream.empty
      digest = pushedDigest.exec(step.text)?.[1] ?? digest
      return Stream.make(step)
    })
  )
  const missing = failed("the engine reported no digest of the pushed image")
  const ended = Stream.suspend(
    (): Stream.Stream<PushProgress, EngineRefused> =>
      digest === undefined ? Stream.fail(missing) : Stream.make({ _tag: "Pushed", digest })
  )
  return Stream.unwrap(Effect.as(named, Stream.concat(lines, ended))).pipe(Stream.ensuring(forgotten))
}

const tagImage = (api: Api, image: string, owner: Owner) =>
  Effect.flatMap(
    api.ask({
      method: "POST",
      path: `/images/${inPath(image)}/tag`,
      query: { repo: imageRepository(owner.application), tag: imageReference(owner).split(":")[1] ?? "" }
    }),
    (answer): Effect.Effect<void, EngineFailure | ImageNotFound> => {
      if (answer.status < 400) return Effect.void
      return Effect.fail(
        answer.status === 404 ? new ImageNotFound({ reference: image, because: answer.because }) : refusal(answer)
      )
    }
  )

const listImages = (api: Api, application: ApplicationUuid | null) =>
  Effect.gen(function* () {
    const repository = application === null ? "slipway/*" : imageRepository(application)
    const isMine = (tag: string) => (application === null ? imageOwner(tag) !== null : tag.startsWith(`${repository}:`))
    const filters = JSON.stringify({ reference: [repository] })
    const listed = yield* Effect.flatMap(
      api.ask({ method: "GET", path: "/images/json", query: { filters } }),
      readImages
    )
    const mine = listed.filter(({ RepoTags }) => (RepoTags ?? []).some((tag) => isMine(plainReference(tag))))
    const found = yield* Effect.forEach(
      [...new Set(mine.map(({ Id }) => wholeId(Id)))].toSorted(),
      (id) =>
        Effect.option(Effect.catchTag(inspectImage(api, id), "ImageNotFound", () => Effect.fail("gone" as const))),
      { concurrency: 4 }
    )
    return found.flatMap((image) => (Option.isSome(image) ? [image.value] : []))
  })

const removeImage = (api: Api, owner: Owner) => {
  const name = imageReference(owner)
  return Effect.flatMap(
    api.ask({ method: "DELETE", path: `/images/${inPath(name)}`, query: { force: "false", noprune: "false" } }),
    (answer): Effect.Effect<boolean, EngineFailure | ResourceInUse> => {
      if (answer.status < 400) return Effect.succeed(true)
      if (answer.status === 404) return Effect.succeed(false)
      return Effect.fail(
        answer.status === 409 || /in use|used by/i.test(answer.because) ? new ResourceInUse({ name }) : refusal(answer)
      )
    }
  )
}

/** Returns the image operations of an engine. */
export const imagesOf = (
  api: Api
): Pick<Engine, "build" | "inspectImage" | "listImages" | "pull" | "push" | "removeImage" | "tagImage"> => ({
  push: (image, reference, credentials) => push(api, image, reference, credentials),
  pull: (reference, credentials) => pull(api, reference, credentials),
  build: (context, options) => buildAgain(api, context, options),
  tagImage: (image, owner) => tagImage(api, image, owner),
  inspectImage: (reference) => inspectImage(api, reference),
  listImages: (application) => listImages(api, application),
  removeImage: (owner) => removeImage(api, owner)
})
