import { Effect, Stream } from "effect"
import type { Deployment } from "../deployments/Deployment.ts"
import type { BuildOptions, Image, Progress } from "../engine/ContainerEngine.ts"
import type { Owner } from "../engine/ContainerSpec.ts"
import { ImageNotFound } from "../engine/EngineError.ts"
import { isNamedBy, isOwnImage } from "../engine/names.ts"
import { mostLines } from "../logs/DeploymentLogStore.ts"
import type { CheckoutFailed } from "../sources/Sources.ts"
import { fail, say, type Workshop } from "./workshop.ts"

/** Reads the progress of a pull or a build into the log, and gives the image it ends with. */
export const imageIn = <E, R>(deployment: Deployment, progress: Stream.Stream<Progress, E, R>) =>
  Effect.gen(function* () {
    const images: Array<Image> = []
    let lines = 0
    yield* Stream.runForEach(progress, (step) => {
      if (step._tag === "Image") return Effect.sync(() => void images.push(step.image))
      // A build that writes millions of lines would keep the store busy with what it doesn't keep (invariant I25).
      return ++lines > mostLines ? Effect.void : say(deployment, [step.text])
    })
    const image = images.at(-1)
    return image === undefined ? yield* fail("the engine gave no image") : image
  })

/** Returns whose the image of a deployment is, or that of one of its services. */
export const ownerOf = ({ applicationUuid, uuid }: Deployment, service: string | null = null): Owner => ({
  application: applicationUuid,
  deployment: uuid,
  service
})

/** Fetches an image, and keeps it as the deployment's. */
export const pull = ({ deployment, engine }: Workshop, reference: string, owner = ownerOf(deployment)) => {
  // An image that nobody can fetch may have been loaded on the server by hand.
  const present = ({ because }: { readonly because: string }) =>
    engine.inspectImage(reference).pipe(
      Effect.filterOrFail(
        ({ tags }) => isNamedBy(tags, reference),
        () => new ImageNotFound({ reference, because })
      ),
      Effect.tap(() => say(deployment, [`could not fetch ${reference}, taking the one on the server: ${because}`])),
      Effect.catchTag("ImageNotFound", () => fail(`the image ${reference} can't be had: ${because}`))
    )
  if (isOwnImage(reference)) return fail(`the image ${reference} is none of a registry`)
  return imageIn(deployment, engine.pull(reference)).pipe(
    Effect.catchTags({ ImageNotFound: present, EngineRefused: present }),
    Effect.tap((image) => engine.tagImage(image.id, owner)),
    Effect.catchTag("ImageNotFound", ({ because }) => fail(`the image is gone again: ${because}`))
  )
}

/** Builds an image, and keeps it as the deployment's. */
export const build = (
  { deployment, engine }: Workshop,
  context: Stream.Stream<Uint8Array, CheckoutFailed>,
  options: Pick<BuildOptions, "dockerfile"> & Partial<BuildOptions>
) =>
  imageIn(
    deployment,
    engine.build(context, {
      owner: ownerOf(deployment),
      arguments: [],
      labels: [],
      target: null,
      fresh: deployment.force,
      ...options
    })
  ).pipe(Effect.catchTag("BuildFailed", ({ because }) => fail(`the build failed: ${because}`)))
