import type { CheckoutFailed, Deployment } from "@slipway/domain/deploy/apps"
import type { BuildOptions, Engine, Image, Owner, Progress } from "@slipway/domain/deploy/containers"
import {
  atDigest,
  credentialsFor,
  ImageNotFound,
  isNamedBy,
  isOwnImage,
  RegistryLogins,
  registryHost
} from "@slipway/domain/deploy/containers"
import type { TeamId } from "@slipway/domain/deploy/identity"
import { type DeploymentLogStore, mostLines, pushedReference } from "@slipway/domain/deploy/runtime"
import { Effect, Stream } from "effect"
import * as Registries from "../../infrastructure/registries/Registries.ts"
import { type DeployContext, fail, logLines } from "./deployContext.ts"

/** A function that adds lines about the progress to a log. */
export type ProgressLogger<R> = (
  texts: ReadonlyArray<string>,
  stream?: "stdout" | "stderr"
) => Effect.Effect<void, never, R>

/** Logs the progress of an image pull or build, and returns the resulting image. */
export const imageIn = <E, R, T>(log: ProgressLogger<T>, progress: Stream.Stream<Progress, E, R>) =>
  Effect.gen(function* () {
    const images: Array<Image> = []
    let lines = 0
    yield* Stream.runForEach(progress, (step) => {
      if (step._tag === "Image") return Effect.sync(() => void images.push(step.image))
      // A build with millions of lines must not overload the store (invariant I25).
      return ++lines > mostLines ? Effect.void : log([step.text])
    })
    const image = images.at(-1)
    return image === undefined ? yield* fail("the engine returned no image") : image
  })

/** Returns the owner (application, deployment, service) of a deployment's image, or of one of its services. */
export const ownerOf = ({ applicationUuid, uuid }: Deployment, service: string | null = null): Owner => ({
  application: applicationUuid,
  deployment: uuid,
  service
})

/**
 * Reads the registry credentials of a team, followed by those of the instance. For the same registry, the team's
 * credentials take precedence.
 *
 * If the instance's credentials cannot be read, it logs this and continues, so that public images can still be pulled.
 */
const loginsFor = Effect.fnUntraced(function* <T>(team: TeamId, log: ProgressLogger<T>) {
  const { read } = yield* RegistryLogins
  const shared = yield* Effect.catchTag(read, "LoginsUnreadable", ({ because }) =>
    Effect.as(log([`continuing without registry credentials: ${because}`], "stderr"), [])
  )
  return [...(yield* Registries.openCredentials(team)), ...shared]
})

const isTurnedAway = (because: string): boolean =>
  /unauthorized|authentication required|access (?:to the resource is )?denied|no basic auth credentials/i.test(because)

/** Adds advice about credentials to an error message if the registry denied access; `known` describes those used. */
const explained = Effect.fnUntraced(function* (because: string, known: string) {
  const { advice } = yield* RegistryLogins
  return isTurnedAway(because) ? `${because} (${known}: ${advice})` : because
})

/** Pulls an image from a registry. If this fails, uses an image with the same name on the server. */
export const fetchImage = Effect.fnUntraced(function* <T>(
  engine: Pick<Engine, "inspectImage" | "pull">,
  reference: string,
  team: TeamId,
  log: ProgressLogger<T>
) {
  if (isOwnImage(reference)) return yield* fail(`the image ${reference} is not in a registry`)
  const credentials = credentialsFor(yield* loginsFor(team, log), reference)
  const known =
    credentials === undefined
      ? `the platform has no password for ${registryHost(reference)}`
      : `the platform used its password for ${credentials.registry}`
  // An image that cannot be pulled may have been loaded on the server by hand.
  const present = ({ because }: { readonly because: string }) =>
    presentImage(engine, reference, because).pipe(
      Effect.tap(() => log([`could not pull ${reference}, using the image on the server: ${because}`])),
      Effect.catchTag("ImageNotFound", () =>
        Effect.flatMap(explained(because, known), (why) => fail(`the image ${reference} cannot be pulled: ${why}`))
      )
    )
  return yield* imageIn(log, engine.pull(reference, credentials)).pipe(
    Effect.catchTags({ ImageNotFound: present, EngineRefused: present })
  )
})

/** Finds the image on a server with exactly the given name; fails with `because` if there is none. */
export const presentImage = (engine: Pick<Engine, "inspectImage">, reference: string, because: string) =>
  engine.inspectImage(reference).pipe(
    Effect.filterOrFail(
      ({ tags }) => isNamedBy(tags, reference) && !isOwnImage(reference),
      () => new ImageNotFound({ reference, because })
    )
  )

const logLinesOf =
  (deployment: Deployment): ProgressLogger<DeploymentLogStore> =>
  (texts, stream) =>
    logLines(deployment, texts, stream)

/** Pulls an image, and tags it for a deployment. */
export const pull = Effect.fnUntraced(function* (
  { application, deployment, engine }: DeployContext,
  reference: string,
  owner: Owner = ownerOf(deployment)
) {
  return yield* fetchImage(engine, reference, application.placement.teamId, logLinesOf(deployment)).pipe(
    Effect.tap((image) => engine.tagImage(image.id, owner)),
    Effect.catchTag("ImageNotFound", ({ because }) => fail(`the image was removed again: ${because}`))
  )
})

/** Builds an image, and tags it for a deployment. */
export const build = Effect.fnUntraced(function* (
  { application, deployment, engine }: DeployContext,
  context: Stream.Stream<Uint8Array, CheckoutFailed>,
  options: Pick<BuildOptions, "dockerfile"> & Partial<BuildOptions>
) {
  // Only the engine knows the base images of a Dockerfile.
  const credentials = yield* loginsFor(application.placement.teamId, logLinesOf(deployment))
  const hosts = credentials.map(({ registry }) => registry).join(", ")
  const known =
    hosts === "" ? "the platform has no password for any registry" : `the platform has passwords for ${hosts}`
  const progress = engine.build(context, {
    owner: ownerOf(deployment),
    arguments: [],
    labels: [],
    target: null,
    fresh: deployment.force || application.configuration.disable_build_cache,
    credentials,
    ...options
  })
  return yield* imageIn(logLinesOf(deployment), progress).pipe(
    Effect.catchTag("BuildFailed", ({ because }) =>
      Effect.flatMap(explained(because, known), (why) => fail(`the build failed: ${why}`))
    )
  )
})

/** Returns the image reference under which a deployment's image is pushed to a registry; null if it is not pushed. */
export const referenceOfBuilt = (
  { application, preview }: Pick<DeployContext, "application" | "preview">,
  commit: string
): string | null => {
  if (preview === null) return pushedReference(application, commit)
  const { configuration } = application
  const named = { ...configuration, docker_registry_image_tag: `pr-${preview.pullRequestId}` }
  return pushedReference({ ...application, configuration: named }, commit)
}

/** Pushes the built image of a deployment to a registry, and returns the reference of its digest there. */
export const pushBuilt = Effect.fnUntraced(function* (
  { application, deployment, engine }: DeployContext,
  image: Pick<Image, "id">,
  reference: string
) {
  const tell = logLinesOf(deployment)
  yield* tell([`pushing the image to ${reference}`])
  const credentials = credentialsFor(yield* loginsFor(application.placement.teamId, tell), reference)
  const known =
    credentials === undefined
      ? `the platform has no password for ${registryHost(reference)}`
      : `the platform used its password for ${credentials.registry}`
  const refused = ({ because }: { readonly because: string }) =>
    Effect.flatMap(explained(because, known), (why) => fail(`the image cannot be pushed to ${reference}: ${why}`))
  let digest: string | undefined
  yield* Stream.runForEach(engine.push(image.id, reference, credentials), (step) => {
    if (step._tag === "Line") return tell([step.text])
    digest = step.digest
    return Effect.void
  }).pipe(Effect.catchTags({ EngineRefused: refused, ImageNotFound: refused }))
  if (digest === undefined) return yield* fail(`the registry reported no digest for ${reference}`)
  return atDigest(reference, digest)
})
