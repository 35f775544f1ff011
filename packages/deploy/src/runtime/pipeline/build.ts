import { makeUuid, now } from "@slipway/domain"
import type { Release } from "@slipway/domain/deploy/apps"
import { type Checkout, ReleaseStore, Sources, shownAddress } from "@slipway/domain/deploy/apps"
import { ReleaseUuid } from "@slipway/domain/deploy/base"
import type { Image, Pairs } from "@slipway/domain/deploy/containers"
import {
  archiveOfFiles,
  imageReference,
  openCompose,
  Packers,
  type ReleasedCompose,
  sealCompose,
  workdirOf
} from "@slipway/domain/deploy/containers"
import type { DeploymentLogStore } from "@slipway/domain/deploy/runtime"
import {
  addedFolder,
  declaredArguments,
  joinDirectory,
  joinPaths,
  type Recipe,
  type Source,
  siteOfFiles,
  siteOfImage,
  sourceOf
} from "@slipway/domain/deploy/runtime"
import { Effect, Redacted } from "effect"
import { openedRepository } from "../../apps/applications/repository.ts"
import { deployedVariables } from "../../apps/deployed-variables/variables.ts"
import { prepareRepository } from "../../apps/forge-links/link.ts"
import * as SharedVariables from "../../apps/shared-variables/SharedVariables.ts"
import { openRepository } from "../../apps/sources/openRepository.ts"
import { cutIn, open as openVariables } from "../../apps/variables/Variables.ts"
import type { Admission } from "../admission/admission.ts"
import { buildCompose, buildServiceText } from "./buildCompose.ts"
import { type DeployContext, fail, logLines } from "./deployContext.ts"
import { build, ownerOf, pull, pushBuilt, referenceOfBuilt } from "./images.ts"
import { onBuildServer, usesBuildServer } from "./sharing/buildServer.ts"
import { copyRelease } from "./sharing/copies.ts"
import { withManifest } from "./withManifest.ts"

/** Returns those of the application's variables that a Dockerfile declares as build arguments (`ARG`). */
export const argumentsFor = (dockerfile: string, variables: Pairs): Pairs => {
  const declared = new Set(declaredArguments(dockerfile))
  return variables.filter(([name]) => declared.has(name))
}

/** The result of a build: the image that the release runs; for several services, the image of the first one. */
interface Built {
  readonly commit: string
  readonly commitMessage: string | null
  readonly image: Image
  readonly compose: ReleasedCompose | null
}

const buildDockerfile = Effect.fnUntraced(function* (
  context: DeployContext,
  checkout: Checkout,
  { folder, path, text }: Extract<Recipe, { _tag: "Dockerfile" }>,
  variables: Pairs
) {
  const found = text ?? (yield* checkout.readText(joinPaths(folder, path)))
  if (found === undefined) return yield* fail(`there is no \`${joinPaths(folder, path)}\` in the repository`)
  const dockerfile = text === null ? path : `${addedFolder}/Dockerfile`
  return yield* build(context, checkout.archive(folder, text === null ? {} : { [dockerfile]: text }), {
    dockerfile,
    arguments: argumentsFor(found, variables)
  })
})

const buildStatic = (
  context: DeployContext,
  checkout: Checkout,
  { folder, site }: Extract<Recipe, { _tag: "Static" }>
) => build(context, checkout.archive(folder, siteOfFiles(site)), { dockerfile: `${addedFolder}/Dockerfile` })

/** Builds the image that serves a static site, from the files that a build pack produced. */
const buildSiteOf = (
  context: DeployContext,
  site: NonNullable<Extract<Recipe, { _tag: "Packer" }>["site"]>,
  built: string,
  workdir: string
) => build(context, archiveOfFiles(siteOfImage(site, built, workdir)), { dockerfile: "Dockerfile" })

/**
 * Returns the suffix for the image that a build pack creates. This image is only an intermediate result, so its name
 * differs from that of the serving image.
 */
const builtName = "_built"

const packWith = Effect.fnUntraced(function* (
  context: DeployContext,
  checkout: Checkout,
  { commands, folder, packer, site }: Extract<Recipe, { _tag: "Packer" }>,
  variables: Pairs
) {
  const { deployment, engine } = context
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
    fresh: deployment.force || context.application.configuration.disable_build_cache,
    say: (line) => Effect.provideContext(logLines(deployment, [line]), logs)
  })
  const image =
    packedFiles._tag === "Image"
      ? yield* engine
          .inspectImage(reference)
          .pipe(Effect.catchTag("ImageNotFound", () => fail(`${packer} exited without an image`)))
      : yield* build(context, packedFiles.archive, {
          owner,
          dockerfile: packedFiles.dockerfile,
          arguments: packedFiles.arguments
        })
  return site === null ? image : yield* buildSiteOf(context, site, reference, workdirOf(packer))
})

const checkedOut = Effect.fnUntraced(function* (
  { application, deployment, preview, waiting }: DeployContext,
  { wanted }: Extract<Source, { _tag: "Repository" }>
) {
  const pullRequest = preview !== null && preview.branch === null ? preview.pullRequestId : undefined
  const what = pullRequest === undefined ? `\`${wanted.branch}\`` : `pull request ${pullRequest}`
  yield* logLines(deployment, [`fetching ${what} of ${shownAddress(wanted.repository)}`])
  if (preview === null) {
    yield* Effect.catch(prepareRepository(application), ({ because }) =>
      logLines(deployment, [`the webhook and the deploy key could not be checked: ${because}`], "stderr")
    )
  }
  const checkout = yield* (yield* Sources).checkout({
    ...wanted,
    ...(pullRequest === undefined ? {} : { pullRequest }),
    ...(yield* openRepository(application, yield* openedRepository(application))),
    commit: deployment.commit === "" ? "HEAD" : deployment.commit
  })
  yield* logLines(deployment, [`commit ${checkout.commit}: ${checkout.subject}`])
  yield* waiting.found(checkout.commit, checkout.subject)
  return checkout
})

const requireFolder = Effect.fnUntraced(function* (checkout: Checkout, folder: string) {
  if (folder !== "" && (yield* checkout.entry(folder)) !== "folder") {
    return yield* fail(`there is no folder \`${folder}\` in the repository`)
  }
})

/** Returns the variables of a build. Adds `SOURCE_COMMIT` if the application's settings request it. */
const withCommit = (
  { application }: Pick<DeployContext, "application">,
  { commit }: Pick<Checkout, "commit">,
  variables: Pairs
): Pairs =>
  application.configuration.include_source_commit_in_build === true
    ? [...variables.filter(([name]) => name !== "SOURCE_COMMIT"), ["SOURCE_COMMIT", Redacted.make(commit)]]
    : variables

const buildRepository = Effect.fnUntraced(function* (
  context: DeployContext,
  checkout: Checkout,
  { recipe }: Extract<Source, { _tag: "Repository" }>,
  configured: Pairs
) {
  const variables = withCommit(context, checkout, configured)
  const { commit, subject } = checkout
  const found = { commit, commitMessage: subject }
  yield* requireFolder(checkout, recipe.folder)
  switch (recipe._tag) {
    case "Dockerfile":
      return { ...found, compose: null, image: yield* buildDockerfile(context, checkout, recipe, variables) }
    case "Static":
      return { ...found, compose: null, image: yield* buildStatic(context, checkout, recipe) }
    case "Packer":
      return { ...found, compose: null, image: yield* packWith(context, checkout, recipe, variables) }
    case "Compose":
      return { ...found, ...(yield* buildCompose(context, checkout, recipe, variables)) }
  }
})

const buildSource = Effect.fnUntraced(function* (
  context: DeployContext,
  source: Exclude<Source, { _tag: "Repository" }>,
  variables: Pairs
) {
  if (source._tag === "ServiceText") {
    const { commit } = context.deployment
    return { commit, commitMessage: null, ...(yield* buildServiceText(context, variables)) }
  }
  const image =
    source._tag === "Image"
      ? yield* pull(context, source.reference)
      : yield* build(context, archiveOfFiles({ Dockerfile: source.text }), {
          dockerfile: "Dockerfile",
          arguments: argumentsFor(source.text, variables)
        })
  const built: Built = { commit: context.deployment.commit, commitMessage: null, compose: null, image }
  return built
})

const runAgain = Effect.fnUntraced(function* ({ deployment, engine }: DeployContext, release: Release) {
  const compose = yield* openCompose(release)
  const images = compose?.images ?? [{ service: null, id: release.imageId }]
  for (const { id, service } of images) {
    yield* engine
      .tagImage(id, ownerOf(deployment, service))
      .pipe(Effect.catchTag("ImageNotFound", () => fail("the image of the release is gone from the server")))
  }
  return release
})

/** Stores the release of a deployment. */
const storeRelease = Effect.fnUntraced(function* (
  { application, deployment }: DeployContext,
  { compose, image, ...facts }: Built & Pick<Release, "configuration" | "generatedDomain" | "variables">
) {
  const uuid = yield* makeUuid(ReleaseUuid)
  const inserted = yield* (yield* ReleaseStore).insert({
    ...facts,
    uuid,
    applicationUuid: application.uuid,
    deploymentUuid: deployment.uuid,
    imageId: image.id,
    imagePort: image.ports[0] ?? null,
    secrets: application.secrets,
    compose: compose === null ? null : yield* sealCompose(uuid, compose),
    createdAt: yield* now
  })
  return inserted ?? (yield* fail("the application was deleted"))
})

/** Builds the release of a deployment, or finds the one to run again. Changes nothing before `admit` succeeds. */
export const buildRelease = Effect.fnUntraced(function* (opened: DeployContext, admit: Admission) {
  const checkOut = (context: DeployContext, source: Extract<Source, { _tag: "Repository" }>) =>
    Effect.tap(checkedOut(context, source), ({ commit }) => admit(commit))
  const { deployment } = opened
  const releases = yield* ReleaseStore
  // A restart uses the release that serves now, which may differ from the one at request time.
  const serving = deployment.action === "restart" ? yield* releases.serving(opened.application.uuid) : undefined
  const asked = serving?.releaseUuid ?? deployment.releaseUuid
  if (asked !== null) {
    const again = yield* releases.find(asked)
    return again === undefined ? yield* fail("the release is gone") : yield* runAgain(opened, again)
  }
  const release = yield* releases.ofDeployment(deployment.uuid)
  if (release !== undefined) return release
  if (opened.original !== null) return yield* storeRelease(opened, yield* copyRelease(opened, opened.original))
  const before = sourceOf(opened.application)
  const checkout = before._tag === "Repository" ? yield* checkOut(opened, before) : undefined
  const context = checkout === undefined ? opened : yield* withManifest(opened, checkout)
  const { application } = context
  const all = yield* deployedVariables(application.uuid)
  const { is_env_sorting_enabled: isSorted } = application.configuration
  const ordered = isSorted ? all.toSorted((one, other) => (one.key < other.key ? -1 : 1)) : all
  const { missing, variables } = yield* SharedVariables.resolve(
    { ...application.placement, serverUuid: deployment.serverUuid },
    ordered.map(({ isBuildtime, isLiteral, isRuntime, key, uuid, value }) => ({
      key,
      uuid,
      value,
      isLiteral,
      isBuildtime,
      isRuntime
    }))
  )
  if (missing.length > 0) yield* logLines(deployment, [`unknown shared variables: ${missing.join(", ")}`])
  yield* logLines(
    deployment,
    (yield* cutIn(variables)).map(
      (key) =>
        `warning: the variable ${key} names a variable that is not set before it, which becomes empty: write $$ for a dollar sign, or set is_literal`
    )
  )
  const buildVariables = yield* openVariables(variables, "build")
  const source = sourceOf(application)
  const isElsewhere = usesBuildServer(application)
  const builder = isElsewhere ? yield* onBuildServer(context) : context
  const output: Built =
    source._tag === "Repository"
      ? yield* buildRepository(builder, checkout ?? (yield* checkOut(context, source)), source, buildVariables)
      : yield* buildSource(builder, source, buildVariables)
  const reference = context.preview === null || isElsewhere ? referenceOfBuilt(context, output.commit) : null
  const pushed = reference === null ? null : yield* pushBuilt(builder, output.image, reference)
  // Another deployment may have pushed its image under the same tag since.
  const built: Built = isElsewhere && pushed !== null ? { ...output, image: yield* pull(context, pushed) } : output
  const { configuration, generatedDomain } = application
  return yield* storeRelease(context, { ...built, configuration, generatedDomain, variables })
}, Effect.scoped)
