import { nameKey } from "../../../Collection.ts"
import type { Configuration } from "../../apps/applications/Application.ts"
import type { Values } from "../../apps/applications/Draft.ts"
import type { PlainField } from "../../apps/fields/table.ts"
import type { DatabaseKind } from "../../databases/kinds.ts"
import type { FieldProblem } from "./checkManifest.ts"
import type { Manifest, ManifestApplication } from "./Manifest.ts"

/** A variable that a manifest declares. Its value is a text, or the connection URL of a database in the manifest. */
export interface DeclaredVariable {
  readonly key: string
  readonly value:
    | { readonly _tag: "Text"; readonly text: string }
    | { readonly _tag: "Database"; readonly name: string }
}

/** An existing variable of an application, with its decrypted value. */
export interface PresentVariable {
  readonly value: string
  /** Whether a manifest set the variable. */
  readonly isDeclared: boolean
}

/** An existing application in the environment that is built from the manifest's repository. */
export interface PresentApplication {
  readonly name: string
  readonly configuration: Configuration
  /** Whether a manifest created the application. */
  readonly isDeclared: boolean
}

/** An existing database in the environment that a manifest of the repository created. */
export interface PresentDatabase {
  readonly name: string
  readonly type: DatabaseKind
  readonly image: string
  /** The connection URL of the database in the network, including the password. */
  readonly address: string
}

/** Another environment of the project, which a manifest of the repository created. */
export interface DeclaredEnvironment {
  readonly name: string
  /** The branches of the repository from which applications in this environment are built. */
  readonly branches: ReadonlyArray<string>
  /** The names of the databases in this environment that a manifest created. */
  readonly databases: ReadonlyArray<string>
}

/** The existing resources and the options with which a manifest is compared to plan changes. */
export interface ManifestFacts {
  /** The environment of the application that is being deployed; `branch` is the branch that it is built from. */
  readonly environment: string
  readonly branch: string
  /** The names of all environments of the project. */
  readonly environments: ReadonlyArray<string>
  readonly declaredEnvironments: ReadonlyArray<DeclaredEnvironment>
  readonly applications: ReadonlyArray<PresentApplication>
  readonly databases: ReadonlyArray<PresentDatabase>
  /** Whether the environment also has applications of other branches, which may use its databases. */
  readonly isShared: boolean
  /** The name and the variables of the deployed application, the only existing one that changes. */
  readonly deployed: string
  readonly variables: Readonly<Record<string, PresentVariable>>
  /** Whether to delete resources that an earlier version of the manifest created and the current version omits. */
  readonly prune: boolean
  /** Whether the caller may read secrets. Otherwise the plan must not reveal which variables already have their value. */
  readonly isSensitive: boolean
}

/** A changed field of an application, with its old and new value. */
export interface FieldChange {
  readonly field: PlainField
  readonly before: unknown
  readonly after: unknown
}

/** One change that a manifest requires. Changes are applied in the order of the plan, each in its own transaction. */
export type ManifestChange =
  | { readonly _tag: "CreateEnvironment"; readonly environment: string }
  | {
      readonly _tag: "CreateDatabase"
      readonly environment: string
      readonly name: string
      readonly type: DatabaseKind
      readonly image: string | null
    }
  | {
      readonly _tag: "ChangeImage"
      readonly environment: string
      readonly name: string
      readonly before: string
      readonly after: string
    }
  | {
      readonly _tag: "CreateApplication"
      readonly environment: string
      readonly name: string
      readonly branch: string
      readonly fields: Values
      /** The variables that the first deployment of the application sets. */
      readonly variables: ReadonlyArray<DeclaredVariable>
    }
  | {
      readonly _tag: "ChangeApplication"
      readonly environment: string
      /** The current name; a change of the field `name` replaces it with the name in the manifest. */
      readonly name: string
      readonly fields: ReadonlyArray<FieldChange>
    }
  | {
      readonly _tag: "SetVariables"
      readonly environment: string
      readonly application: string
      readonly variables: ReadonlyArray<DeclaredVariable>
    }
  | {
      readonly _tag: "DeleteVariable"
      readonly environment: string
      readonly application: string
      readonly key: string
    }
  | { readonly _tag: "DeleteApplication"; readonly environment: string; readonly name: string }
  | { readonly _tag: "DeleteDatabase"; readonly environment: string; readonly name: string }

/** The changes that a manifest requires, and its errors; if there are errors, no change is applied. */
export interface ManifestPlan {
  readonly changes: ReadonlyArray<ManifestChange>
  readonly problems: ReadonlyArray<FieldProblem>
}

const joined = (addresses: ReadonlyArray<string>): string => addresses.join(",")

const healthFields = (check: ManifestApplication["health_check"]): Values => {
  if (check === undefined) return {}
  if (check === false) return { health_check_enabled: false }
  const { interval, method, path, port, retries, start_period, status, timeout } = check
  return {
    health_check_enabled: true,
    ...(path === undefined ? {} : { health_check_path: path }),
    ...(port === undefined ? {} : { health_check_port: String(port) }),
    ...(method === undefined ? {} : { health_check_method: method }),
    ...(status === undefined ? {} : { health_check_return_code: status }),
    ...(interval === undefined ? {} : { health_check_interval: interval }),
    ...(timeout === undefined ? {} : { health_check_timeout: timeout }),
    ...(retries === undefined ? {} : { health_check_retries: retries }),
    ...(start_period === undefined ? {} : { health_check_start_period: start_period })
  }
}

/**
 * Converts the settings of an application in a manifest to the fields of the application's configuration.
 *
 * @example
 * fieldsOf({ ports: [3000, 9000], previews: true }) // => { ports_exposes: "3000,9000", is_preview_deployments_enabled: true }
 */
export const fieldsOf = ({
  compose_domains,
  domains,
  health_check,
  ports,
  previews,
  secrets: _secrets,
  variables: _variables,
  watch_paths,
  ...same
}: ManifestApplication): Values => ({
  ...same,
  ...(watch_paths === undefined ? {} : { watch_paths: watch_paths.join("\n") }),
  ...(ports === undefined ? {} : { ports_exposes: ports.join(",") }),
  ...(domains === undefined ? {} : { domains: joined(domains) }),
  ...(compose_domains === undefined
    ? {}
    : {
        docker_compose_domains: Object.entries(compose_domains).map(([name, list]) => ({ name, domain: joined(list) }))
      }),
  ...healthFields(health_check),
  ...(previews === undefined ? {} : { is_preview_deployments_enabled: previews })
})

const variablesOf = ({ variables = {} }: ManifestApplication): ReadonlyArray<DeclaredVariable> =>
  Object.entries(variables).map(([key, value]) => ({
    key,
    value:
      typeof value === "object" ? { _tag: "Database", name: value.database } : { _tag: "Text", text: String(value) }
  }))

/** Returns the settings of each application in an environment, which override the general settings. */
const settingsIn = (manifest: Manifest, environment: string): ReadonlyMap<string, ManifestApplication> => {
  const own = environmentOf(manifest, environment)?.[1].applications ?? {}
  return new Map(
    Object.entries(manifest.applications).map(([name, general]) => {
      const changed = own[name] ?? {}
      const variables = { ...general.variables, ...changed.variables }
      const secrets = [...new Set([...(general.secrets ?? []), ...(changed.secrets ?? [])])]
      return [name, { ...general, ...changed, variables, secrets }]
    })
  )
}

const environmentOf = ({ environments = {} }: Manifest, name: string) =>
  Object.entries(environments).find(([each]) => nameKey(each) === nameKey(name))

/**
 * Returns the existing application for each application name in a manifest.
 *
 * Applications match by name. If none matches and there is only one existing application, it is the first application
 * of the manifest: a user created it before the manifest existed.
 */
const matched = (
  names: ReadonlyArray<string>,
  present: ReadonlyArray<PresentApplication>
): ReadonlyMap<string, PresentApplication> => {
  const found = new Map(
    names.flatMap((name) => {
      const same = present.find((each) => each.name === name)
      return same === undefined ? [] : [[name, same] as const]
    })
  )
  const [first] = names
  const [only, ...others] = present
  return found.size === 0 && first !== undefined && only !== undefined && others.length === 0
    ? new Map([[first, only]])
    : found
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const changedFields = (name: string, settings: ManifestApplication, present: PresentApplication) => {
  const desired = { name, ...fieldsOf(settings) }
  return (Object.entries(desired) as ReadonlyArray<[PlainField, unknown]>).flatMap(([field, after]) => {
    const before = present.configuration[field]
    return isSame(before, after) ? [] : [{ field, before, after }]
  })
}

const changesOfPresent = (
  { databases, environment, isSensitive, prune, variables: held }: ManifestFacts,
  name: string,
  settings: ManifestApplication,
  present: PresentApplication
): ReadonlyArray<ManifestChange> => {
  const fields = changedFields(name, settings, present)
  const declared = variablesOf(settings)
  const addresses = new Map(databases.map((database) => [database.name, database.address]))
  const variables = declared.filter(({ key, value }) => {
    const wanted = value._tag === "Text" ? value.text : addresses.get(value.name)
    return !isSensitive || wanted === undefined || held[key]?.value !== wanted
  })
  const declaredKeys = [...declared.map(({ key }) => key), ...(settings.secrets ?? [])]
  const keys = Object.entries(held)
    .filter(([key, { isDeclared }]) => prune && isDeclared && !declaredKeys.includes(key))
    .map(([key]) => key)
  return [
    ...(fields.length === 0 ? [] : [{ _tag: "ChangeApplication", environment, name: present.name, fields } as const]),
    ...(variables.length === 0 ? [] : [{ _tag: "SetVariables", environment, application: name, variables } as const]),
    ...keys.map((key) => ({ _tag: "DeleteVariable", environment, application: name, key }) as const)
  ]
}

const databaseChanges = ({ databases = {} }: Manifest, { databases: present, environment }: ManifestFacts) => {
  const changes: Array<ManifestChange> = []
  const problems: Array<FieldProblem> = []
  for (const [name, { image, type }] of Object.entries(databases)) {
    const found = present.find((each) => each.name === name)
    if (found === undefined) changes.push({ _tag: "CreateDatabase", environment, name, type, image: image ?? null })
    else if (found.type !== type) {
      const problem = `The type of the database is \`${found.type}\` and cannot change: declare another database.`
      problems.push({ field: `databases.${name}.type`, problem })
    } else if (image !== undefined && image !== found.image) {
      changes.push({ _tag: "ChangeImage", environment, name, before: found.image, after: image })
    }
  }
  return { changes, problems }
}

/** Returns the changes that create the applications and the missing databases of an environment. */
const fillEnvironment = (
  manifest: Manifest,
  environment: string,
  branch: string,
  databases: ReadonlyArray<string>
): ReadonlyArray<ManifestChange> => [
  ...Object.entries(manifest.databases ?? {})
    .filter(([name]) => !databases.includes(name))
    .map(
      ([name, { image, type }]) => ({ _tag: "CreateDatabase", environment, name, type, image: image ?? null }) as const
    ),
  ...[...settingsIn(manifest, environment)].map(
    ([name, settings]) =>
      ({
        _tag: "CreateApplication",
        environment,
        name,
        branch,
        fields: fieldsOf(settings),
        variables: variablesOf(settings)
      }) as const
  )
]

/**
 * Returns the changes that create another environment of the manifest, or complete one that an earlier, interrupted
 * deployment created. Returns none if the environment already has an application of its branch: from then on, the
 * manifest on that branch decides.
 */
const otherEnvironment = (
  manifest: Manifest,
  { declaredEnvironments, environments }: ManifestFacts,
  name: string,
  branch: string
): ReadonlyArray<ManifestChange> => {
  const isSame = (other: string): boolean => nameKey(other) === nameKey(name)
  if (!environments.some(isSame)) {
    return [{ _tag: "CreateEnvironment", environment: name }, ...fillEnvironment(manifest, name, branch, [])]
  }
  const declared = declaredEnvironments.find((each) => isSame(each.name))
  if (declared === undefined || declared.branches.includes(branch)) return []
  return fillEnvironment(manifest, declared.name, branch, declared.databases)
}

const branchProblems = (manifest: Manifest, { branch, environment }: ManifestFacts): ReadonlyArray<FieldProblem> => {
  const own = environmentOf(manifest, environment)
  if (own === undefined) {
    const taken = Object.entries(manifest.environments ?? {}).find(([, each]) => each.branch === branch)
    if (taken === undefined) return []
    const problem = `The branch \`${branch}\` is deployed to the environment \`${environment}\`: name it here, or move the application.`
    return [{ field: `environments.${taken[0]}`, problem }]
  }
  if (own[1].branch === branch) return []
  const problem = `The environment \`${own[0]}\` is deployed from \`${branch}\`: set this branch, or change \`git_branch\` of the application.`
  return [{ field: `environments.${own[0]}.branch`, problem }]
}

const secretProblems = (
  name: string,
  { secrets = [] }: ManifestApplication,
  held: ManifestFacts["variables"]
): ReadonlyArray<FieldProblem> =>
  secrets.flatMap((key, at) => {
    if (held[key] !== undefined) return []
    const problem = `The secret \`${key}\` has no value: set it with POST /applications/{uuid}/envs of the application.`
    return [{ field: `applications.${name}.secrets.${at}`, problem }]
  })

const sharedProblem = (environment: string): FieldProblem => ({
  field: "databases",
  problem: `The environment \`${environment}\` has applications of other branches, which may use databases that this file does not name: name these databases, or delete them with DELETE /databases/{uuid}.`
})

/**
 * Plans the changes from the existing resources to those that a manifest declares.
 *
 * - In the environment of the deployed application, it changes this application and creates missing resources.
 * - It creates and completes other environments until they have an application of their branch; from then on, the
 *   manifest on that branch decides.
 * - Without `isSensitive`, it sets every declared variable, so that a plan confirms no guessed value.
 * - It deletes resources only if `prune` is set.
 */
export const planManifest = (manifest: Manifest, facts: ManifestFacts): ManifestPlan => {
  const { applications, branch, deployed, environment, prune, variables } = facts
  const settings = settingsIn(manifest, environment)
  const present = matched([...settings.keys()], applications)
  const changed = [...settings].flatMap(([name, each]) => {
    const found = present.get(name)
    return found?.name === deployed ? [{ name, settings: each, found }] : []
  })
  const databases = databaseChanges(manifest, facts)
  const missing = [...settings].filter(([name]) => !present.has(name))
  const created = missing.map(
    ([name, each]): ManifestChange => ({
      _tag: "CreateApplication",
      environment,
      name,
      branch,
      fields: fieldsOf(each),
      variables: variablesOf(each)
    })
  )
  const others = Object.entries(manifest.environments ?? {}).filter(([name]) => nameKey(name) !== nameKey(environment))
  const unnamed = prune ? applications.filter((each) => each.isDeclared && ![...present.values()].includes(each)) : []
  const unused = prune ? facts.databases.filter(({ name }) => manifest.databases?.[name] === undefined) : []
  const shared = facts.isShared && unused.length > 0 ? [sharedProblem(environment)] : []
  return {
    changes: [
      ...databases.changes,
      ...created,
      ...changed.flatMap(({ found, name, settings: each }) => changesOfPresent(facts, name, each, found)),
      ...others.flatMap(([name, each]) => otherEnvironment(manifest, facts, name, each.branch)),
      ...unnamed.map(({ name }) => ({ _tag: "DeleteApplication", environment, name }) as const),
      ...unused.map(({ name }) => ({ _tag: "DeleteDatabase", environment, name }) as const)
    ],
    problems: [
      ...branchProblems(manifest, facts),
      ...databases.problems,
      ...shared,
      ...changed.flatMap(({ name, settings: each }) => secretProblems(name, each, variables))
    ]
  }
}
