import { streamOf, Vault } from "@slipway/domain"
import type { Application, Environment, ForgeLink } from "@slipway/domain/deploy/apps"
import { ApplicationStore, EnvironmentStore, PreviewStore, VariableStore } from "@slipway/domain/deploy/apps"
import { type Database, DatabaseStore, internalAddress, openDatabase } from "@slipway/domain/deploy/databases"
import type {
  DeclaredEnvironment,
  ManifestFacts,
  PresentDatabase,
  PresentVariable
} from "@slipway/domain/deploy/runtime"
import { Effect, Redacted, Stream } from "effect"
import { toSent } from "../../apps/applications/showApplication.ts"
import { type Linked, linksOf } from "../../apps/forge-links/link.ts"
import { valueOwner } from "../../apps/variables/Variables.ts"

/** The comment that marks variables set by a manifest. */
export const declaredComment = "from slipway.yaml"

/** Returns the description that marks an environment created by the manifest of a repository. */
export const declaredDescription = ({ name, owner }: Pick<ForgeLink, "name" | "owner">): string =>
  `from slipway.yaml of ${owner}/${name}`

/** The maximum number of applications of an environment among which those of the repository are searched. */
const mostApplications = 1_000

/** Returns the connection URL of a database inside its network, including its password. */
export const addressOfDatabase = (database: Database) =>
  Effect.map(openDatabase(database), (values) => internalAddress(database, values))

/** Selects the applications of a repository, without previews. */
const selectLinked = Effect.fnUntraced(function* (applications: ReadonlyArray<Application>, { link }: Linked) {
  const linkFor = yield* linksOf(applications)
  const mine = applications.filter((each) => {
    const other = linkFor(each)
    return other?.forgeAppUuid === link.forgeAppUuid && other.owner === link.owner && other.name === link.name
  })
  const previews = yield* (yield* PreviewStore).among(mine.map(({ uuid }) => uuid))
  const isPreview = new Set(previews.map(({ previewUuid }) => previewUuid))
  return mine.filter(({ uuid }) => !isPreview.has(uuid))
})

/** Returns the applications of a repository in an environment, without previews. */
const ofRepository = Effect.fnUntraced(function* ({ placement }: Application, linked: Linked) {
  const store = yield* ApplicationStore
  const placed = yield* store.placed(
    { _tag: "Environment", uuid: placement.environmentUuid },
    { limit: mostApplications }
  )
  return yield* selectLinked(placed, linked)
})

/** Returns the applications with the same repository, branch and environment as an application, without previews. */
export const siblingsOf = (application: Application, linked: Linked) =>
  Effect.map(ofRepository(application, linked), (all) =>
    all.filter(({ configuration }) => configuration.git_branch === application.configuration.git_branch)
  )

const declaredDatabases = ({ link }: Linked) => Effect.flatMap(DatabaseStore, (store) => store.declaredIn(link))

/** Returns the databases in an application's environment that the manifest of a repository created. */
export const databasesOf = ({ placement }: Application, linked: Linked) =>
  Effect.map(declaredDatabases(linked), (declared) =>
    declared.filter((each) => each.placement.environmentUuid === placement.environmentUuid)
  )

/** Returns the environments that a repository's manifest created in the project, except the application's own. */
const declaredEnvironmentsOf = Effect.fnUntraced(function* (
  { placement }: Application,
  linked: Linked,
  environments: ReadonlyArray<Environment>
) {
  const description = declaredDescription(linked.link)
  const declared = environments.filter((each) => each.description === description)
  const others = declared.filter(({ uuid }) => uuid !== placement.environmentUuid)
  if (others.length === 0) return []
  const store = yield* ApplicationStore
  const where = { _tag: "Project", uuid: placement.projectUuid } as const
  const all = yield* Stream.runCollect(streamOf((window) => store.placed(where, window)))
  const applications = yield* selectLinked(all, linked)
  const databases = yield* declaredDatabases(linked)
  return others.map(({ name, uuid }): DeclaredEnvironment => {
    const isHere = (each: Pick<Application, "placement">): boolean => each.placement.environmentUuid === uuid
    return {
      name,
      branches: applications.filter(isHere).map(({ configuration }) => configuration.git_branch ?? ""),
      databases: databases.filter(isHere).map(({ declaredBy }) => declaredBy?.name ?? "")
    }
  })
})

const presentVariables = Effect.fnUntraced(function* ({ uuid }: Application) {
  const vault = yield* Vault
  const rows = (yield* (yield* VariableStore).ofApplication(uuid)).filter(({ isPreview }) => !isPreview)
  const opened = yield* Effect.forEach(rows, ({ comment, key, uuid: variable, value }) =>
    Effect.map(vault.open(valueOwner(variable), value), (plain): readonly [string, PresentVariable] => [
      key,
      { value: Redacted.value(plain), isDeclared: comment === declaredComment }
    ])
  )
  return Object.fromEntries(opened)
})

/** Reads the current resources and variables with which the manifest of an application is compared. */
export const factsFor = Effect.fnUntraced(function* (
  application: Application,
  linked: Linked,
  flags: Pick<ManifestFacts, "isSensitive" | "prune">
) {
  const { configuration, placement } = application
  const environments = yield* (yield* EnvironmentStore).ofProject(placement.projectUuid)
  const neighbours = yield* ofRepository(application, linked)
  const siblings = neighbours.filter((each) => each.configuration.git_branch === configuration.git_branch)
  const databases = yield* Effect.forEach(yield* databasesOf(application, linked), (database) =>
    Effect.map(
      addressOfDatabase(database),
      (address): PresentDatabase => ({
        name: database.declaredBy?.name ?? "",
        type: database.kind,
        image: database.image,
        address
      })
    )
  )
  return {
    environment: placement.environmentName,
    branch: configuration.git_branch ?? "",
    environments: environments.map(({ name }) => name),
    declaredEnvironments: yield* declaredEnvironmentsOf(application, linked, environments),
    applications: siblings.map((each) => ({
      name: each.configuration.name ?? "",
      configuration: toSent(each.configuration),
      isDeclared: each.isDeclared
    })),
    databases,
    isShared: neighbours.length > siblings.length,
    deployed: configuration.name ?? "",
    variables: yield* presentVariables(application),
    ...flags
  } satisfies ManifestFacts
})
