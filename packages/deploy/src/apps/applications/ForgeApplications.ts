import { InvalidInput } from "@slipway/domain"
import {
  type Application,
  ConnectedForges,
  detectBuild,
  dockerfileName,
  type ForgeAccess,
  type ForgeRepository,
  type ForgeTokenRejected,
  type GitHostFailed,
  type HostedRepositoryNotFound,
  type RepositoryName,
  readRepositoryName,
  withExposedPort
} from "@slipway/domain/deploy/apps"
import { type Authorized, type Caller, visibleTo } from "@slipway/domain/deploy/entry"
import { type ConnectedForge, ForgeAppStore, ForgeAppUuid, KeyReader } from "@slipway/domain/deploy/infrastructure"
import { Effect, Predicate, Schema } from "effect"
import { callForge } from "../../infrastructure/forge-apps/ForgeConnections.ts"
import { ChoiceNeeded, mostChoices, placementFor } from "../forge-links/choices.ts"
import { addressOn, prepareRepository } from "../forge-links/link.ts"
import { newWebhookSecret } from "../secrets/secrets.ts"
import * as Applications from "./Applications.ts"

type Body = Readonly<Record<string, unknown>>

const invalid = (field: string, sentence: string) => new InvalidInput({ problems: { [field]: [sentence] } })

/** Returns the forge connection that a request names, or the only connection of the team. */
const chosenForge = Effect.fnUntraced(function* (caller: Caller, body: Body) {
  const named = body.forge_app_uuid ?? body.github_app_uuid
  const all = yield* (yield* ForgeAppStore).connected({ limit: mostChoices }, visibleTo(caller, "forgeConnection.read"))
  const found = named === undefined ? all : all.filter(({ uuid }) => uuid === named)
  const [forge, ...others] = found
  if (forge === undefined) {
    return yield* named === undefined
      ? invalid("git_repository", "No forge is connected: send the address of the repository, or connect a forge.")
      : invalid("forge_app_uuid", "There is no such forge connection; a short repository name needs one.")
  }
  if (others.length > 0) {
    return yield* new ChoiceNeeded({ choices: { forge_app_uuid: found.map(({ name, uuid }) => ({ uuid, name })) } })
  }
  return forge
})

const joined = (folder: string, name: string): string => `${folder.replace(/\/+$/, "")}/${name}`

/** Reads the file names in a folder of a branch, and its Dockerfile. */
const readFolder = Effect.fnUntraced(function* (
  access: ForgeAccess,
  repository: RepositoryName,
  branch: string,
  folder: string
) {
  const forges = yield* ConnectedForges
  const names = yield* forges.files(access, repository, branch, folder)
  const hasDockerfile = names.includes(dockerfileName)
  const dockerfile = hasDockerfile
    ? yield* forges.file(access, repository, branch, joined(folder, dockerfileName))
    : undefined
  return { names, dockerfile }
})

/** Detects the build pack and the port from the files of a branch. */
const detected = Effect.fnUntraced(function* (
  access: ForgeAccess,
  repository: RepositoryName,
  branch: string,
  folder: string
) {
  const { dockerfile, names } = yield* readFolder(access, repository, branch, folder)
  const found = detectBuild(names)
  if (found !== undefined) return withExposedPort(found, dockerfile)
  // The first deployment reads the build pack from the manifest, or fails with the builder's reason.
  if (folder === "/" && names.includes("slipway.yaml")) return { build_pack: "nixpacks" } as const
  return yield* invalid(
    "build_pack",
    `The branch \`${branch}\` has no Dockerfile, compose file, index.html or known manifest in \`${folder}\`: name the build pack.`
  )
})

/** The failures of requests about a repository. */
type RepositoryFailure = ForgeTokenRejected | GitHostFailed | HostedRepositoryNotFound | InvalidInput

/** Uses a repository that the account of a connection administers. Fails with the problem of the request field. */
const useRepository = <A, R>(
  forge: ConnectedForge,
  name: RepositoryName,
  wantedBranch: unknown,
  use: (access: ForgeAccess, repository: ForgeRepository, branch: unknown) => Effect.Effect<A, RepositoryFailure, R>
) => {
  const shown = `${name.owner}/${name.name}`
  const wrong = (because: string) => invalid("git_repository", because)
  return callForge(
    forge,
    Effect.fnUntraced(function* (access: ForgeAccess): Effect.fn.Return<A, RepositoryFailure, ConnectedForges | R> {
      const repository = yield* (yield* ConnectedForges).repository(access, name)
      if (!repository.isAdministered) {
        const { account } = forge.connection
        return yield* wrong(`The account \`${account}\` of the connection does not administer \`${shown}\`.`)
      }
      const branch = wantedBranch ?? repository.defaultBranch
      if (branch === null) return yield* wrong(`The repository \`${shown}\` is empty: push a commit first.`)
      return yield* use(access, repository, branch)
    })
  ).pipe(
    Effect.catchTags({
      HostedRepositoryNotFound: () =>
        wrong(`The forge \`${forge.name}\` has no repository \`${shown}\` that its account can read.`),
      ForgeTokenRejected: ({ because }) => wrong(`Cannot read the repository: ${because}.`)
    })
  )
}

/** Lists the files of a folder in a repository of a connected forge, with the Dockerfile, through the forge's API. */
export const browse = (forge: ConnectedForge, name: RepositoryName, branch: string | undefined, folder: string) =>
  useRepository(
    forge,
    name,
    branch,
    Effect.fnUntraced(function* (access, repository, found) {
      const branch = String(found)
      return { branch, ...(yield* readFolder(access, repository, branch, folder)) }
    })
  )

/** Returns the source fields that a request omits, such as the branch and build pack, from the forge's repository. */
const sourceFor = (forge: ConnectedForge, body: Body, name: RepositoryName) =>
  useRepository(
    forge,
    name,
    body.git_branch,
    Effect.fnUntraced(function* (access, repository, branch) {
      const folder = typeof body.base_directory === "string" ? body.base_directory : "/"
      const isBuilt = body.build_pack !== undefined || typeof branch !== "string"
      return {
        git_repository: addressOn(forge.htmlUrl, repository),
        git_branch: branch,
        ...(isBuilt ? {} : yield* detected(access, repository, branch, folder))
      }
    })
  )

/** A complete request body for a new application, and the credentials that the platform generated for it. */
export interface CompletedCreation {
  readonly body: Body
  readonly generated: Applications.GeneratedCredentials
}

/**
 * Completes the creation body of an application from a repository of a connected forge, named `owner/name`.
 *
 * Fills omitted fields: the placement if there is only one choice for each field, the default branch, and the build
 * pack and port from the repository's files. Fails with the list of choices if a field is ambiguous. `linked` is the
 * forge, if the caller already loaded it.
 */
export const complete = Effect.fnUntraced(function* (
  caller: Caller,
  body: Body,
  repository: RepositoryName,
  linked?: ConnectedForge
) {
  const forge = linked ?? (yield* chosenForge(caller, body))
  const placement = yield* placementFor(caller, body)
  const source = yield* sourceFor(forge, body, repository)
  const { github_app_uuid: _, ...sent } = body
  const deployKey = forge.connection.sshPort === null ? undefined : yield* (yield* KeyReader).generate
  const webhookSecret = yield* newWebhookSecret
  const completed = {
    manual_webhook_secret_forgeD: webhookSecret,
    ...placement,
    ...source,
    ...sent,
    git_repository: source.git_repository,
    forge_app_uuid: forge.uuid
  }
  return { body: completed, generated: { deployKey, webhookSecret } } satisfies CompletedCreation
})

/** Creates an application from a completed body without a request to the forge. Fails as `Applications.create` does. */
export const insert = (proof: Authorized<"application.create">, { body, generated }: CompletedCreation) =>
  Applications.create(proof, "private-forge-app", body, generated)

/**
 * Adds a webhook with its own secret to the repository and, if the forge has an SSH server, a read-only deploy key.
 *
 * Only logs a failure, since the application already exists. Each deployment adds what is still missing.
 */
export const prepare = (application: Application) =>
  Effect.catch(prepareRepository(application), ({ because }) =>
    Effect.logWarning("the repository of an application could not be prepared", application.uuid, because)
  )

/**
 * Creates an application from a repository of a connected forge, named `owner/name`. Also adds the webhook and the
 * deploy key to the repository.
 */
const fromForge = Effect.fnUntraced(function* (
  proof: Authorized<"application.create">,
  body: Body,
  repository: RepositoryName
) {
  const application = yield* insert(proof, yield* complete(proof.resource.caller, body, repository))
  yield* prepare(application)
  return application
})

const isForgeAppUuid = Schema.is(ForgeAppUuid)

/** Returns the address of a repository at the host of the app installation that a body names; undefined without one. */
const addressByApp = Effect.fnUntraced(function* (body: Body, repository: RepositoryName) {
  const named = body.forge_app_uuid ?? body.github_app_uuid
  const app = isForgeAppUuid(named) ? yield* (yield* ForgeAppStore).find(named) : undefined
  return app === undefined || app.connection !== null ? undefined : addressOn(app.htmlUrl, repository)
})

/**
 * Creates an application from a private repository: by its address or its short name `owner/name` through an app
 * installation, or by its short name through a forge connection.
 */
export const create = Effect.fnUntraced(function* (proof: Authorized<"application.create">, sent: unknown) {
  const repository =
    Predicate.isObject(sent) && "git_repository" in sent && typeof sent.git_repository === "string"
      ? readRepositoryName(sent.git_repository)
      : undefined
  if (repository === undefined) return yield* Applications.create(proof, "private-forge-app", sent)
  const body = sent as Body
  // Creation checks that the caller may use the installation.
  const address = yield* addressByApp(body, repository)
  if (address === undefined) return yield* fromForge(proof, body, repository)
  return yield* Applications.create(proof, "private-forge-app", { ...body, git_repository: address })
})
