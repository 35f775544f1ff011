import { Vault } from "@slipway/domain"
import type { Application } from "@slipway/domain/deploy/apps"
import { ApplicationStore, EnvironmentStore, PreviewStore, VariableStore } from "@slipway/domain/deploy/apps"
import { type Database, DatabaseStore, internalAddress, openDatabase } from "@slipway/domain/deploy/databases"
import type { ManifestFacts, PresentDatabase, PresentVariable } from "@slipway/domain/deploy/runtime"
import { Effect, Redacted } from "effect"
import { toSent } from "../../apps/applications/showApplication.ts"
import { type Linked, linksOf } from "../../apps/forge-links/link.ts"
import { valueOwner } from "../../apps/variables/Variables.ts"

/** The comment of a variable that a manifest set. */
export const declaredComment = "from slipway.yaml"

/** The maximum number of applications of an environment that are searched for those of the repository. */
const mostApplications = 1_000

/** Returns the address of a database in its network, with its password. */
export const addressOfDatabase = (database: Database) =>
  Effect.map(openDatabase(database), (values) => internalAddress(database, values))

/** Returns the applications of a repository in an environment, without previews. */
const ofRepository = Effect.fnUntraced(function* ({ placement }: Application, { link }: Linked) {
  const store = yield* ApplicationStore
  const placed = yield* store.placed(
    { _tag: "Environment", uuid: placement.environmentUuid },
    { limit: mostApplications }
  )
  const linkFor = yield* linksOf(placed)
  const mine = placed.filter((each) => {
    const other = linkFor(each)
    return other?.forgeAppUuid === link.forgeAppUuid && other.owner === link.owner && other.name === link.name
  })
  const previews = yield* (yield* PreviewStore).among(mine.map(({ uuid }) => uuid))
  const isPreview = new Set(previews.map(({ previewUuid }) => previewUuid))
  return mine.filter(({ uuid }) => !isPreview.has(uuid))
})

/** Returns the applications of a repository and branch in an environment, without previews. */
export const siblingsOf = (application: Application, linked: Linked) =>
  Effect.map(ofRepository(application, linked), (all) =>
    all.filter(({ configuration }) => configuration.git_branch === application.configuration.git_branch)
  )

/** Returns the databases of an environment that the manifest of a repository created. */
export const databasesOf = Effect.fnUntraced(function* ({ placement }: Application, { link }: Linked) {
  const declared = yield* (yield* DatabaseStore).declaredIn(link)
  return declared.filter((each) => each.placement.environmentUuid === placement.environmentUuid)
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

/** Reads the present state that the manifest of an application is compared with. */
export const factsFor = Effect.fnUntraced(function* (application: Application, linked: Linked, prune: boolean) {
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
    applications: siblings.map((each) => ({
      name: each.configuration.name ?? "",
      configuration: toSent(each.configuration),
      isDeclared: each.isDeclared
    })),
    databases,
    isShared: neighbours.length > siblings.length,
    deployed: configuration.name ?? "",
    variables: yield* presentVariables(application),
    prune
  } satisfies ManifestFacts
})
