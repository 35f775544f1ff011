import { Effect, Stream } from "effect"
import { Tar } from "effect/encoding"
import { makeUuid } from "../../Ids.ts"
import { now } from "../../Time.ts"
import type { Deployment } from "../deployments/Deployment.ts"
import type { BuildOptions, Image, Progress } from "../engine/ContainerEngine.ts"
import type { Owner, Pairs } from "../engine/ContainerSpec.ts"
import { imageReference } from "../engine/names.ts"
import type { DeploymentLogStore } from "../logs/DeploymentLogStore.ts"
import { Packers, workdirOf } from "../packers/Packers.ts"
import { type Release, ReleaseUuid } from "../releases/Release.ts"
import { ReleaseStore } from "../releases/ReleaseStore.ts"
import { accessOf } from "../sources/accessOf.ts"
import { type Checkout, type CheckoutFailed, Sources } from "../sources/Sources.ts"
import { VariableStore } from "../variables/VariableStore.ts"
import { open as openVariables } from "../variables/Variables.ts"
import { addedFolder, declaredArguments, siteOfFiles, siteOfImage } from "./site.ts"
import { joinDirectory, joinPaths, type Recipe, type Source, sourceOf } from "./source.ts"
import { fail, say, type Workshop } from "./workshop.ts"

/** Reads the progress of a pull or a build into the log, and gives the image it ends with. */
export const imageIn = <E, R>(deployment: Deployment, progress: Stream.Stream<Progress, E, R>) =>
  Effect.gen(function* () {
    const images: Array<Image> = []
    yield* Stream.runForEach(progress, (step) =>
      step._tag === "Line" ? say(deployment, [step.text]) : Effect.sync(() => void images.push(step.image))
    )
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
      Effect.tap(() => say(deployment, [`could not fetch ${reference}, taking the one on the server: ${because}`])),
      Effect.catchTag("ImageNotFound", () => fail(`the image ${reference} can't be had: ${because}`))
    )
  return imageIn(deployment, engine.pull(reference)).pipe(
    Effect.catchTags({ ImageNotFound: present, EngineRefused: present }),
    Effect.tap((image) => engine.tagImage(image.id, owner)),
    Effect.catchTag("ImageNotFound", ({ because }) => fail(`the image is gone again: ${because}`))
  )
}

/** Packs a few files as the context of a build. */
export const packed = (files: Readonly<Record<string, string>>) =>
  Stream.fromIterable(Object.entries(files)).pipe(
    Stream.map(([path, text]) => Tar.file(path, text)),
    Stream.pipeThroughChannel(Tar.encode()),
    Stream.orDie
  )

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

/** Returns the build arguments that a Dockerfile declares, from the application's variables. */
export const argumentsFor = (dockerfile: string, variables: Pairs): Pairs => {
  const declared = new Set(declaredArguments(dockerfile))
  return variables.filter(([name]) => declared.has(name))
}

/** What a build has come to: the image that the release runs. */
export interface Built {
  readonly commit: string
  readonly image: Image
}

const buildDockerfile = Effect.fnUntraced(function* (
  shop: Workshop,
  checkout: Checkout,
  { folder, path, text }: Extract<Recipe, { _tag: "Dockerfile" }>,
  variables: Pairs
) {
  const found = text ?? (yield* checkout.readText(joinPaths(folder, path)))
  if (found === undefined) return yield* fail(`the repository has no ${joinPaths(folder, path)}`)
  const dockerfile = text === null ? path : `${addedFolder}/Dockerfile`
  return yield* build(shop, checkout.archive(folder, text === null ? {} : { [dockerfile]: text }), {
    dockerfile,
    arguments: argumentsFor(found, variables)
  })
})

const buildStatic = (shop: Workshop, checkout: Checkout, { folder, site }: Extract<Recipe, { _tag: "Static" }>) =>
  build(shop, checkout.archive(folder, siteOfFiles(site)), { dockerfile: `${addedFolder}/Dockerfile` })

/** Builds the image that is served to visitors, of what a build-pack program has built. */
const buildSiteOf = (
  shop: Workshop,
  site: NonNullable<Extract<Recipe, { _tag: "Packer" }>["site"]>,
  built: string,
  workdir: string
) => build(shop, packed(siteOfImage(site, built, workdir)), { dockerfile: "Dockerfile" })

/** What a build-pack program builds of a site isn't what serves it, and has a name of its own. */
const builtName = "_built"

const packWith = Effect.fnUntraced(function* (
  shop: Workshop,
  checkout: Checkout,
  { commands, folder, packer, site }: Extract<Recipe, { _tag: "Packer" }>,
  variables: Pairs
) {
  const { deployment, engine } = shop
  const owner = ownerOf(deployment, site === null ? null : builtName)
  const reference = imageReference(owner)
  const logs = yield* Effect.context<DeploymentLogStore>()
  const packedFiles = yield* (yield* Packers).pack({
    packer,
    directory: joinDirectory(yield* checkout.directory, folder),
    commands,
    variables,
    reference,
    socket: yield* engine.socket,
    fresh: deployment.force,
    say: (line) => Effect.provideContext(say(deployment, [line]), logs)
  })
  const image =
    packedFiles._tag === "Image"
      ? yield* engine
          .inspectImage(reference)
          .pipe(Effect.catchTag("ImageNotFound", () => fail(`${packer} ended without an image`)))
      : yield* build(shop, packedFiles.archive, {
          owner,
          dockerfile: packedFiles.dockerfile,
          arguments: packedFiles.arguments
        })
  return site === null ? image : yield* buildSiteOf(shop, site, reference, workdirOf(packer))
})

const checkedOut = Effect.fnUntraced(function* (
  { application, deployment }: Workshop,
  { wanted }: Extract<Source, { _tag: "Repository" }>
) {
  yield* say(deployment, [`fetching ${wanted.branch} of ${wanted.repository.replace(/\/\/[^/@]*@/, "//")}`])
  const checkout = yield* (yield* Sources).checkout({
    ...wanted,
    commit: deployment.commit === "" ? "HEAD" : deployment.commit,
    access: yield* accessOf(application)
  })
  yield* say(deployment, [`commit ${checkout.commit}: ${checkout.subject}`])
  return checkout
})

const requireFolder = Effect.fnUntraced(function* (checkout: Checkout, folder: string) {
  if (folder !== "" && (yield* checkout.entry(folder)) !== "folder") {
    return yield* fail(`the repository has no folder ${folder}`)
  }
})

const buildRepository = Effect.fnUntraced(function* (
  shop: Workshop,
  source: Extract<Source, { _tag: "Repository" }>,
  variables: Pairs
) {
  const checkout = yield* checkedOut(shop, source)
  const { commit } = checkout
  const { recipe } = source
  yield* requireFolder(checkout, recipe.folder)
  switch (recipe._tag) {
    case "Dockerfile":
      return { commit, image: yield* buildDockerfile(shop, checkout, recipe, variables) }
    case "Static":
      return { commit, image: yield* buildStatic(shop, checkout, recipe) }
    case "Packer":
      return { commit, image: yield* packWith(shop, checkout, recipe, variables) }
    case "Compose":
      return yield* fail("compose isn't there yet")
  }
}, Effect.scoped)

const buildSource = Effect.fnUntraced(function* (shop: Workshop, source: Source, variables: Pairs) {
  const { commit } = shop.deployment
  switch (source._tag) {
    case "Image":
      return { commit, image: yield* pull(shop, source.reference) }
    case "Dockerfile":
      return {
        commit,
        image: yield* build(shop, packed({ Dockerfile: source.text }), {
          dockerfile: "Dockerfile",
          arguments: argumentsFor(source.text, variables)
        })
      }
    case "Repository":
      return yield* buildRepository(shop, source, variables)
  }
})

const runAgain = Effect.fnUntraced(function* ({ deployment, engine }: Workshop, release: Release) {
  yield* engine
    .tagImage(release.imageId, ownerOf(deployment))
    .pipe(Effect.catchTag("ImageNotFound", () => fail("the image of the release is gone from the server")))
  return release
})

/** Makes the release of a deployment, or finds the one that it is to run again. */
export const buildRelease = Effect.fnUntraced(function* (shop: Workshop) {
  const { application, deployment } = shop
  const releases = yield* ReleaseStore
  if (deployment.releaseUuid !== null) {
    const again = yield* releases.find(deployment.releaseUuid)
    return again === undefined ? yield* fail("the release is gone") : yield* runAgain(shop, again)
  }
  const made = yield* releases.ofDeployment(deployment.uuid)
  if (made !== undefined) return made
  const all = yield* (yield* VariableStore).ofApplication(application.uuid)
  const variables = all.filter(({ isPreview }) => !isPreview)
  const built = yield* buildSource(shop, sourceOf(application), yield* openVariables(variables))
  const inserted = yield* releases.insert({
    uuid: yield* makeUuid(ReleaseUuid),
    applicationUuid: application.uuid,
    deploymentUuid: deployment.uuid,
    commit: built.commit,
    imageId: built.image.id,
    imagePort: built.image.ports[0] ?? null,
    configuration: application.configuration,
    generatedDomain: application.generatedDomain,
    secrets: application.secrets,
    compose: null,
    variables: variables.map(({ key, uuid, value }) => ({ key, uuid, value })),
    createdAt: yield* now
  })
  return inserted ?? (yield* fail("the application was deleted"))
})
