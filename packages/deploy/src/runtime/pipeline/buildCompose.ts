import type { Problems } from "@slipway/domain"
import { forShares } from "@slipway/domain"
import type { Checkout } from "@slipway/domain/deploy/apps"
import { ServiceStore, ServiceUuid } from "@slipway/domain/deploy/apps"
import type {
  ComposeBuild,
  ComposeProject,
  ComposeService,
  Image,
  Owner,
  Pairs,
  ReleasedCompose
} from "@slipway/domain/deploy/containers"
import {
  archiveOfFiles,
  type ComposeCommand,
  ComposeReader,
  InstancePolicy,
  imageReference,
  readComposeCommand,
  readComposeProject,
  unknownService
} from "@slipway/domain/deploy/containers"
import { addedFolder, joinPaths, type Recipe, withSettings } from "@slipway/domain/deploy/runtime"
import { Effect, Redacted, Result } from "effect"
import { type DeployContext, fail, logLines, sentences } from "./deployContext.ts"
import { build, ownerOf, pull } from "./images.ts"

const commandIn = Effect.fnUntraced(function* (field: string, line: string) {
  const command = readComposeCommand(line)
  return Result.isFailure(command) ? yield* fail(sentences({ [field]: command.failure })) : command.success
})

/** Returns the project with only the selected services and all their dependencies. Fails for an unknown service. */
const chosenFrom = (
  project: ComposeProject,
  chosen: ReadonlyArray<string>
): Result.Result<ComposeProject, Problems> => {
  const unknown = chosen.find((name) => !project.services.some((service) => service.name === name))
  if (unknown !== undefined) {
    return Result.fail({ docker_compose_custom_start_command: [`There is no service \`${unknown}\`.`] })
  }
  if (chosen.length === 0) return Result.succeed(project)
  const needed = new Set(chosen)
  // In reverse, because dependencies start first.
  for (const { dependsOn, name } of project.services.toReversed()) {
    if (needed.has(name)) for (const { service } of dependsOn) needed.add(service)
  }
  return Result.succeed({ ...project, services: project.services.filter(({ name }) => needed.has(name)) })
}

/**
 * Removes published server ports and labels from the Compose project of a preview.
 *
 * A port can belong to only one application, and labels could announce routes to other software on the server
 * (invariant I28).
 */
const ofPreview = (project: ComposeProject): ComposeProject => {
  const taking = project.services.filter(({ ports }) => ports.length > 0).map(({ name }) => name)
  const labelled = project.services.filter(({ labels }) => labels.length > 0).map(({ name }) => name)
  const noteOf = (what: string, names: ReadonlyArray<string>) =>
    names.length === 0 ? [] : [`previews do not support ${what}: those of ${names.join(", ")} are ignored`]
  return {
    ...project,
    services: project.services.map((service) => ({ ...service, ports: [], labels: [] })),
    notes: [...project.notes, ...noteOf("ports of the server", taking), ...noteOf("labels", labelled)]
  }
}

const buildService = Effect.fnUntraced(function* (
  context: DeployContext,
  checkout: Checkout,
  owner: Owner,
  { args, context: contextFolder, dockerfile, dockerfileInline, target }: ComposeBuild,
  { noCache }: Pick<ComposeCommand, "noCache">
) {
  const inline = `${addedFolder}/Dockerfile`
  const folder = joinPaths(contextFolder)
  const path = joinPaths(folder, dockerfile)
  // The engine would follow a link on its own machine and disclose the target.
  if (dockerfileInline === null && (yield* checkout.entry(path)) !== "file") {
    return yield* fail(`there is no \`${path}\` in the repository`)
  }
  return yield* build(
    context,
    checkout.archive(folder, dockerfileInline === null ? {} : { [inline]: dockerfileInline }),
    {
      owner,
      dockerfile: dockerfileInline === null ? dockerfile : inline,
      arguments: args.map(([key, value]) => [key, Redacted.make(value)] as const),
      target,
      fresh: context.deployment.force || context.application.configuration.disable_build_cache || noCache
    }
  )
})

/** Returns the name of a service's image before additional files are added to the image. */
const plainOf = (name: string) => `${name}_plain`

/** Builds an image of a service that contains its additional files. */
const withFiles = Effect.fnUntraced(function* (
  context: DeployContext,
  checkout: Checkout,
  { files = [], name }: ComposeService
) {
  for (const { path } of files) {
    const entry = path === null ? "file" : yield* checkout.entry(path)
    if (entry !== "file" && entry !== "folder") return yield* fail(`there is no \`${path}\` in the repository`)
  }
  const texts = files.flatMap(({ text }, n) => (text === null ? [] : [[`${addedFolder}/file-${n}`, text] as const]))
  const lines = files.map(({ owner, path, target }, n) => {
    const from = path ?? `${addedFolder}/file-${n}`
    return `COPY ${owner === null ? "" : `--chown=${owner} `}${JSON.stringify([from, target])}`
  })
  const plain = ownerOf(context.deployment, plainOf(name))
  const dockerfile = [`FROM ${imageReference(plain)}`, ...lines, ""].join("\n")
  const added = {
    ...Object.fromEntries(texts),
    // A file that the repository's build ignores may be one that the service needs.
    ".dockerignore": "",
    [`${addedFolder}/Dockerfile`]: dockerfile
  }
  return yield* build(context, checkout.archive("", added), {
    owner: ownerOf(context.deployment, name),
    dockerfile: `${addedFolder}/Dockerfile`
  })
})

const warnOfUnset = ({ deployment }: DeployContext, unset: ReadonlyArray<string>) =>
  logLines(
    deployment,
    unset.map(
      (name) =>
        `warning: the compose files name the variable \`$${name}\`, which is not set: it becomes empty (write $$ for a dollar sign)`
    )
  )

/** Builds or pulls the images of all services of a Compose project. */
const buildServices = Effect.fnUntraced(function* (
  context: DeployContext,
  checkout: Checkout,
  project: ComposeProject,
  building: Pick<ComposeCommand, "noCache">
) {
  const unknown = unknownService(project, context.application.configuration)
  if (unknown !== null) return yield* fail(sentences(unknown))
  yield* logLines(context.deployment, project.notes)
  const images: Array<{ readonly service: string; readonly image: Image }> = []
  for (const service of project.services) {
    const { build: recipe, image: reference, name } = service
    yield* logLines(context.deployment, [`the image of \`${name}\``])
    const hasFiles = (service.files ?? []).length > 0
    const owner = ownerOf(context.deployment, hasFiles ? plainOf(name) : name)
    const plain =
      recipe === null
        ? yield* pull(context, reference ?? name, owner)
        : yield* buildService(context, checkout, owner, recipe, building)
    const image = hasFiles ? { ...(yield* withFiles(context, checkout, service)), ports: plain.ports } : plain
    images.push({ service: name, image })
  }
  const [first] = images
  if (first === undefined) return yield* fail("the compose files have no services")
  const compose: ReleasedCompose = {
    project,
    images: images.map(({ image, service }) => ({ service, id: image.id, port: image.ports[0] ?? null }))
  }
  return { image: first.image, compose }
})

/** Reads the Compose files of a repository, and builds or pulls the images of all services. */
export const buildCompose = Effect.fnUntraced(function* (
  context: DeployContext,
  checkout: Checkout,
  { buildCommand, file, folder, startCommand }: Extract<Recipe, { _tag: "Compose" }>,
  variables: Pairs
) {
  const building = yield* commandIn("docker_compose_custom_build_command", buildCommand)
  const starting = yield* commandIn("docker_compose_custom_start_command", startCommand)
  const named = [starting.files, building.files].find((each) => each.length > 0)?.map((each) => joinPaths(folder, each))
  const files = named ?? [file]
  const directory = yield* checkout.directory
  const reading = (yield* ComposeReader).read({
    directory,
    // As in Docker Compose, relative paths start at the first file.
    folder: files[0]?.replace(/\/?[^/]*$/, "") ?? folder,
    files,
    profiles: [...new Set([...building.profiles, ...starting.profiles])],
    variables
  })
  const { config, unset } = yield* forShares([`application:${context.application.uuid}`])(reading)
  yield* warnOfUnset(context, unset)
  // Push access to a branch, or a preview of a fork, does not grant access to the server (invariant I21).
  const allowed = context.preview === null ? yield* InstancePolicy : { hostAccess: false }
  const read = readComposeProject(config, { directory, allowed })
  const chosen = Result.flatMap(read, (project) => chosenFrom(project, starting.services))
  if (Result.isFailure(chosen)) return yield* fail(sentences(chosen.failure))
  const project = context.preview === null ? chosen.success : ofPreview(chosen.success)
  return yield* buildServices(context, checkout, project, building)
})

/** A checkout without files, for a service that only has a compose text. */
const noFiles: Checkout = {
  commit: "",
  subject: "",
  entry: () => Effect.undefined,
  readText: () => Effect.undefined,
  archive: (_, added = {}) => archiveOfFiles(added),
  directory: Effect.die("a compose text has no directory")
}

/** Reads the compose text of a service, and builds or pulls the images of all its parts. */
export const buildServiceText = Effect.fnUntraced(function* (context: DeployContext, variables: Pairs) {
  const service = yield* (yield* ServiceStore).find(ServiceUuid.make(context.application.uuid))
  if (service === undefined) return yield* fail("the service was deleted")
  const reading = (yield* ComposeReader).readText({ text: service.dockerComposeRaw, variables })
  const { config, directory, unset } = yield* forShares([`application:${context.application.uuid}`])(reading)
  yield* warnOfUnset(context, unset)
  const read = readComposeProject(config, { directory, allowed: yield* InstancePolicy, isText: true })
  if (Result.isFailure(read)) return yield* fail(sentences(read.failure))
  const { notes } = read.success
  yield* logLines(context.deployment, notes)
  return yield* buildServices(context, noFiles, withSettings(read.success, service), { noCache: false })
})
