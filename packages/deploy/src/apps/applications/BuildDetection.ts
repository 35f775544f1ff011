import { InvalidInput } from "@slipway/domain"
import {
  type DetectedBuild,
  detectBuild,
  dockerfileName,
  isRepositoryName,
  readRepositoryName,
  Sources,
  withExposedPort
} from "@slipway/domain/deploy/apps"
import type { Authorized } from "@slipway/domain/deploy/entry"
import type { TeamId } from "@slipway/domain/deploy/identity"
import {
  type ConnectedForge,
  type ForgeApp,
  ForgeAppStore,
  type ForgeAppUuid,
  isConnected,
  PrivateKeyStore,
  type PrivateKeyUuid
} from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { addressOn, repositoryOn } from "../forge-links/link.ts"
import { openPublic, openWithApp, openWithKey } from "../sources/openRepository.ts"
import { browse } from "./ForgeApplications.ts"
import { addressAt } from "./repository.ts"

/** A repository for the detection of build settings, and the credentials that read it. */
export interface DetectionInput {
  /** The address of the repository, or its `owner/name` at the forge connection or app installation. */
  readonly repository: string
  /** The branch; undefined for the default branch. */
  readonly branch?: string | undefined
  readonly folder: string
  readonly privateKeyUuid?: PrivateKeyUuid | undefined
  readonly forgeAppUuid?: ForgeAppUuid | undefined
}

/** The build settings that were detected from the files of a repository. */
export interface BuildDetection {
  /** The branch that was read. */
  readonly branch: string
  /** Undefined if the files show no known type of project. */
  readonly build: DetectedBuild | undefined
  /** Whether the folder has a `slipway.yaml`, from which deployments read the build settings. */
  readonly hasManifest: boolean
}

const invalid = (field: string, sentence: string) => new InvalidInput({ problems: { [field]: [sentence] } })

const detection = (
  branch: string,
  names: ReadonlyArray<string>,
  dockerfile: string | undefined,
  folder: string
): BuildDetection => {
  const found = detectBuild(names)
  return {
    branch,
    build: found === undefined ? undefined : withExposedPort(found, dockerfile),
    hasManifest: folder === "/" && names.includes("slipway.yaml")
  }
}

/** Returns the app installation or forge connection of a team. */
const appOf = Effect.fnUntraced(function* (uuid: ForgeAppUuid, teamId: TeamId) {
  const app = yield* (yield* ForgeAppStore).find(uuid)
  return app?.teamId === teamId
    ? app
    : yield* invalid("forge_app_uuid", "There is no such git-hosting app installation.")
})

/** Returns a private key of a team. */
const keyOf = Effect.fnUntraced(function* (uuid: PrivateKeyUuid, teamId: TeamId) {
  const key = yield* (yield* PrivateKeyStore).find(uuid)
  return key?.teamId === teamId ? key : yield* invalid("private_key_uuid", "There is no such private key.")
})

/** Lists the files with git, as a deployment reads them. */
const throughGit = Effect.fnUntraced(function* (
  { branch: wanted, folder, repository }: DetectionInput,
  teamId: TeamId,
  key: PrivateKeyUuid | undefined,
  app: ForgeApp | undefined
) {
  const isShort = isRepositoryName(repository)
  if (isShort && app === undefined) {
    return yield* invalid("forge_app_uuid", "A short repository name needs a forge connection or an app installation.")
  }
  const address = isShort && app !== undefined ? addressAt(app, repository) : repository
  const listed = Effect.gen(function* () {
    const opened =
      key !== undefined
        ? yield* openWithKey(key, teamId, address)
        : app === undefined
          ? openPublic(address)
          : yield* openWithApp(app, address)
    return yield* (yield* Sources).list({ ...opened, branch: wanted, folder, texts: [dockerfileName] })
  })
  const { branch, names, texts } = yield* Effect.mapError(listed, ({ because }) =>
    invalid("git_repository", `Cannot read the repository: ${because}.`)
  )
  return detection(branch, names, texts.get(dockerfileName), folder)
})

/** Lists the files through the API of a connected forge. */
const throughForge = Effect.fnUntraced(function* (
  { branch: wanted, folder, repository }: DetectionInput,
  forge: ConnectedForge
) {
  const name = readRepositoryName(repository) ?? repositoryOn(forge.htmlUrl, repository)
  if (name === undefined) {
    return yield* invalid(
      "git_repository",
      `The forge connection \`${forge.name}\` opens repositories of ${forge.htmlUrl} only, such as ${addressOn(forge.htmlUrl, { owner: "owner", name: "name" })}.`
    )
  }
  const { branch, dockerfile, names } = yield* browse(forge, name, wanted, folder)
  return detection(branch, names, dockerfile, folder)
})

/**
 * Detects the build pack and the port of an application from the files of its repository, before it is created.
 *
 * Fails if the repository cannot be read with the credentials, which must belong to the team of the environment.
 */
export const detect = Effect.fnUntraced(function* (
  { resource }: Authorized<"environment.build.detect">,
  input: DetectionInput
) {
  const { teamId } = resource.project
  const { forgeAppUuid, privateKeyUuid } = input
  if (forgeAppUuid !== undefined && privateKeyUuid !== undefined) {
    return yield* invalid("private_key_uuid", "Send either private_key_uuid or forge_app_uuid.")
  }
  const app = forgeAppUuid === undefined ? undefined : yield* appOf(forgeAppUuid, teamId)
  if (app !== undefined && isConnected(app)) return yield* throughForge(input, app)
  const key = privateKeyUuid === undefined ? undefined : yield* keyOf(privateKeyUuid, teamId)
  return yield* throughGit(input, teamId, key?.uuid, app)
})
