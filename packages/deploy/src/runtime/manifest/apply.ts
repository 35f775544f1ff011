import { Transaction } from "@slipway/domain"
import type { Application, Deployment, Environment } from "@slipway/domain/deploy/apps"
import { ApplicationStore, EnvironmentStore, ProjectStore, VariableStore } from "@slipway/domain/deploy/apps"
import type { Database } from "@slipway/domain/deploy/databases"
import { authorize, type Caller } from "@slipway/domain/deploy/entry"
import { ForgeAppStore } from "@slipway/domain/deploy/infrastructure"
import type { DeclaredVariable, ManifestChange } from "@slipway/domain/deploy/runtime"
import { Effect, Redacted } from "effect"
import * as Applications from "../../apps/applications/Applications.ts"
import * as ForgeApplications from "../../apps/applications/ForgeApplications.ts"
import * as Deployments from "../../apps/deployments/Deployments.ts"
import type { Linked } from "../../apps/forge-links/link.ts"
import * as Environments from "../../apps/projects/Environments.ts"
import * as Variables from "../../apps/variables/Variables.ts"
import * as Databases from "../../databases/Databases.ts"
import { addressOfDatabase, databasesOf, declaredComment, declaredDescription, siblingsOf } from "./facts.ts"

/** The application and repository of a manifest, and the caller. The manifest is applied with the caller's permissions. */
export interface Applying {
  readonly caller: Caller
  readonly application: Application
  readonly linked: Linked
  /** The commit at which new applications of the same branch are deployed. */
  readonly commit: string
  /** The user of the forge who pushed the commit; new applications are deployed for the same person. */
  readonly pusher?: Deployment["pusher"] | undefined
  /** The account that requested the deployment; by default the account of the caller. */
  readonly requestedBy?: Deployment["requestedBy"] | undefined
}

type ChangeOf<Tag extends ManifestChange["_tag"]> = Extract<ManifestChange, { readonly _tag: Tag }>

const keepData = {
  deleteConfigurations: true,
  deleteVolumes: false,
  dockerCleanup: true,
  deleteConnectedNetworks: true
}

const noInput = { limits: {}, fields: {} } as const

/**
 * Runs a change in a transaction with a lock on the forge, so that no other deployment changes the resources that the
 * repository declares at the same time.
 */
const exclusively = <A, E, R>({ linked }: Applying, change: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Transaction, ({ run }) =>
    run(
      Effect.andThen(
        Effect.flatMap(ForgeAppStore, (store) => store.lock(linked.forge.uuid)),
        change
      )
    )
  )

/** Returns the application with the placement for a change: its own environment, or the one with the given name. */
const placedIn = Effect.fnUntraced(function* ({ application }: Applying, environment: string) {
  const { placement } = application
  if (environment === placement.environmentName) return application
  const all = yield* (yield* EnvironmentStore).ofProject(placement.projectUuid)
  const found = all.find(({ name }) => name === environment)
  // The plan creates a missing environment first.
  if (found === undefined) return yield* Effect.die(new Error(`the environment ${environment} is gone`))
  const moved = {
    ...placement,
    environmentUuid: found.uuid,
    environmentName: found.name,
    isProtected: found.isProtected
  }
  return { ...application, placement: moved } satisfies Application
})

const createEnvironment = Effect.fnUntraced(function* (
  applying: Applying,
  { environment }: ChangeOf<"CreateEnvironment">
) {
  const project = yield* (yield* ProjectStore).find(applying.application.placement.projectUuid)
  if (project === undefined) return
  const proof = yield* authorize(applying.caller, "environment.create", { project })
  // Another deployment may have created it in the meantime.
  const description = declaredDescription(applying.linked.link)
  yield* Effect.catchTag(
    Environments.create(proof, { name: environment, description, isProtected: false }),
    "Duplicate",
    () => Effect.succeed(undefined as Environment | undefined)
  )
})

const createDatabase = Effect.fnUntraced(function* (
  applying: Applying,
  { environment, image, name, type }: ChangeOf<"CreateDatabase">
) {
  const there = yield* placedIn(applying, environment)
  const { destinationUuid, environmentUuid, projectUuid, serverUuid } = there.placement
  const where = { projectUuid, environmentUuid, serverUuid, destinationUuid }
  const input = { ...noInput, name, ...(image === null ? {} : { image }) }
  const { forgeAppUuid, name: repository, owner } = applying.linked.link
  const declaredBy = { forgeLink: { forgeAppUuid, owner, name: repository }, name }
  const proof = yield* authorize(applying.caller, "database.create")
  yield* exclusively(
    applying,
    Effect.gen(function* () {
      const present = yield* databasesOf(there, applying.linked)
      if (present.some((each) => each.declaredBy?.name === name)) return
      yield* Databases.create(proof, type, input, where, true, { declaredBy })
    })
  )
})

const databaseNamed = Effect.fnUntraced(function* ({ application, linked }: Applying, name: string) {
  return (yield* databasesOf(application, linked)).find(({ declaredBy }) => declaredBy?.name === name)
})

const changeImage = Effect.fnUntraced(function* (applying: Applying, { after, name }: ChangeOf<"ChangeImage">) {
  const database = yield* databaseNamed(applying, name)
  if (database === undefined) return
  const updating = yield* authorize(applying.caller, "database.update", { database })
  const starting = yield* authorize(applying.caller, "database.deploy", { database })
  yield* (yield* Transaction).run(
    Effect.andThen(Databases.update(updating, { ...noInput, image: after }), Databases.start(starting))
  )
})

const buildFields = ["build_pack", "dockerfile_location", "docker_compose_location", "ports_exposes"] as const

/** Returns the build settings of the application with the same name in the current environment, if there is one. */
const buildOf = (siblings: ReadonlyArray<Application>, name: string) => {
  const same = siblings.find(({ configuration }) => configuration.name === name)
  if (same === undefined) return {}
  return Object.fromEntries(buildFields.map((field) => [field, same.configuration[field]]))
}

const createApplication = Effect.fnUntraced(function* (
  applying: Applying,
  { branch, environment, fields, name }: ChangeOf<"CreateApplication">
) {
  const { application, caller, commit, linked, pusher, requestedBy } = applying
  const proof = yield* authorize(caller, "application.create")
  const there = yield* placedIn(applying, environment)
  const isHere = there === application
  const { destinationUuid, environmentUuid, projectUuid, serverUuid } = there.placement
  const siblings = yield* siblingsOf(application, linked)
  const completed = yield* ForgeApplications.complete(
    caller,
    {
      project_uuid: projectUuid,
      environment_uuid: environmentUuid,
      server_uuid: serverUuid,
      destination_uuid: destinationUuid,
      forge_app_uuid: linked.forge.uuid,
      // The branch of another environment may not exist yet, so its files cannot be read.
      ...(isHere ? {} : { build_pack: "nixpacks", ...buildOf(siblings, name) }),
      ...fields,
      name,
      git_branch: branch
    },
    linked.link,
    linked.forge
  )
  const created = yield* exclusively(
    applying,
    Effect.gen(function* () {
      const wanted = { ...there, configuration: { ...there.configuration, git_branch: branch } }
      const present = yield* siblingsOf(wanted, linked)
      if (present.some(({ configuration }) => configuration.name === name)) return undefined
      const row = { ...(yield* ForgeApplications.insert(proof, completed)), isDeclared: true }
      yield* (yield* ApplicationStore).replace(row)
      if (isHere) {
        const deploying = yield* authorize(caller, "application.deploy.request", { application: row })
        yield* Deployments.deployCommit(deploying, commit, row.placement, { pusher, requestedBy })
      }
      return row
    })
  )
  if (created !== undefined) yield* ForgeApplications.prepare(created)
})

/** Applies a change to the deployed application itself. */
const changeApplication = Effect.fnUntraced(function* (
  { application, caller }: Applying,
  { fields }: ChangeOf<"ChangeApplication">
) {
  const proof = yield* authorize(caller, "application.update", { application })
  // The commit of the manifest may also change the compose files, which its deployment reads and checks.
  yield* Applications.update(proof, Object.fromEntries(fields.map(({ after, field }) => [field, after])), {
    hasNewerFiles: true
  })
})

const setVariables = Effect.fnUntraced(function* (applying: Applying, variables: ReadonlyArray<DeclaredVariable>) {
  const { application, caller, linked } = applying
  const proof = yield* authorize(caller, "application.update", { application })
  const databases = new Map<string, Database>(
    (yield* databasesOf(application, linked)).map((database) => [database.declaredBy?.name ?? "", database])
  )
  const inputs = yield* Effect.forEach(
    variables,
    Effect.fnUntraced(function* ({ key, value }) {
      const database = value._tag === "Database" ? databases.get(value.name) : undefined
      const text = value._tag === "Text" ? value.text : database === undefined ? "" : yield* addressOfDatabase(database)
      const flags = { isLiteral: true, isMultiline: text.includes("\n"), comment: declaredComment }
      return { key, value: Redacted.make(text), ...flags }
    })
  )
  yield* Variables.bulk(proof, inputs)
})

const deleteVariable = Effect.fnUntraced(function* ({ application, caller }: Applying, key: string) {
  const rows = yield* (yield* VariableStore).ofApplication(application.uuid)
  const variable = rows.find((each) => each.key === key && !each.isPreview)
  if (variable === undefined) return
  yield* Variables.remove(yield* authorize(caller, "application.variable.delete", { application, variable }))
})

const deleteApplication = Effect.fnUntraced(function* ({ application, caller, linked }: Applying, name: string) {
  const siblings = yield* siblingsOf(application, linked)
  const found = siblings.find((each) => each.configuration.name === name && each.uuid !== application.uuid)
  if (found === undefined) return
  yield* Applications.remove(yield* authorize(caller, "application.delete", { application: found }), keepData)
})

const deleteDatabase = Effect.fnUntraced(function* (applying: Applying, name: string) {
  const database = yield* databaseNamed(applying, name)
  if (database === undefined) return
  yield* Databases.remove(yield* authorize(applying.caller, "database.delete", { database }), keepData)
})

/** Applies one change of a plan with the caller's permissions, in one transaction, unless it is already applied. */
export const applyChange = Effect.fnUntraced(function* (applying: Applying, change: ManifestChange) {
  switch (change._tag) {
    case "CreateEnvironment":
      return yield* createEnvironment(applying, change)
    case "CreateDatabase":
      return yield* createDatabase(applying, change)
    case "ChangeImage":
      return yield* changeImage(applying, change)
    case "CreateApplication":
      return yield* createApplication(applying, change)
    case "ChangeApplication":
      return yield* changeApplication(applying, change)
    case "SetVariables":
      return yield* setVariables(applying, change.variables)
    case "DeleteVariable":
      return yield* deleteVariable(applying, change.key)
    case "DeleteApplication":
      return yield* deleteApplication(applying, change.name)
    case "DeleteDatabase":
      return yield* deleteDatabase(applying, change.name)
  }
})

/** Reads the current row of an application, after the manifest changed it. */
export const reread = ({ application }: Applying) =>
  Effect.map(
    Effect.flatMap(ApplicationStore, (store) => store.find(application.uuid)),
    (found) => found ?? application
  )
