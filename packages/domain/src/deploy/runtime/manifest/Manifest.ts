import { Schema } from "effect"
import { isBranchName } from "../../../branches.ts"
import { parseDomains } from "../../apps/domains/DomainAddress.ts"
import { ImageName } from "../../apps/fields/docker.ts"
import { line, nonEmpty, text, whole } from "../../apps/fields/field.ts"
import { BuildPack, fields } from "../../apps/fields/table.ts"
import { longestValue, VariableKey } from "../../apps/variables/Variable.ts"
import { type DatabaseKind, kindNames } from "../../databases/kinds.ts"

/** The name of the manifest file in the root folder of a repository, which declares applications and databases. */
export const manifestFile = "slipway.yaml"

/** The maximum length of a manifest file, in characters. */
export const longestManifest = 65_536

const nameMessage = "A name must be lower-case letters, digits and `-`, begin with a letter, at most 40 characters."
const isName = (name: string): boolean => /^[a-z][a-z0-9-]{0,39}$/.test(name)
const isEnvironment = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9 _.-]{0,62}$/.test(name)
const environmentMessage =
  "The name of an environment must be letters, digits, spaces, `_`, `.` and `-`, at most 63 characters."

/** Returns the schema of a map with valid keys; each invalid key is reported with its path in the file. */
const mapOf = <S extends Schema.Codec<unknown, unknown>>(
  value: S,
  most: number,
  accepts: (key: string) => boolean,
  message: string
) =>
  Schema.Record(Schema.String, value).check(
    Schema.makeFilter((map: Readonly<Record<string, unknown>>) => {
      const wrong = Object.keys(map).find((key) => !accepts(key))
      if (wrong !== undefined) return { path: [wrong], issue: message }
      return Object.keys(map).length > most ? `Must have at most ${most} entries.` : undefined
    })
  )

const Domain = line(2_048).check(
  Schema.makeFilter((value: string) =>
    value.includes(",") ? "Must be one address: use one list entry for each." : parseDomains(value).problems[0]
  )
)
const Domains = Schema.Array(Domain).check(Schema.isMaxLength(50, { message: "Must have at most 50 entries." }))
const Port = whole(1, 65_535)
const isKey = Schema.is(VariableKey)
const keyMessage =
  "The name of a variable must begin with a letter or `_` and may only contain letters, digits, `_`, `.` and `-`."

const PlainValue = Schema.Union([
  text(longestValue).check(
    Schema.makeFilter((value: string) =>
      value.includes("{{") ? "Must not contain `{{`: name a secret in `secrets`, and set it by the API." : undefined
    )
  ),
  Schema.Finite,
  Schema.Boolean
])
const DatabaseReference = Schema.Struct({ database: nonEmpty(line(40)) })

const HealthCheck = Schema.Struct({
  path: Schema.optionalKey(fields.health_check_path.schema),
  port: Schema.optionalKey(Port),
  method: Schema.optionalKey(fields.health_check_method.schema),
  status: Schema.optionalKey(fields.health_check_return_code.schema),
  interval: Schema.optionalKey(fields.health_check_interval.schema),
  timeout: Schema.optionalKey(fields.health_check_timeout.schema),
  retries: Schema.optionalKey(fields.health_check_retries.schema),
  start_period: Schema.optionalKey(fields.health_check_start_period.schema)
})

const optional = Schema.optionalKey

/** The schema of the settings of an application in a manifest. */
export const ManifestApplication = Schema.Struct({
  build_pack: optional(BuildPack),
  base_directory: optional(fields.base_directory.schema),
  dockerfile_location: optional(fields.dockerfile_location.schema),
  docker_compose_location: optional(fields.docker_compose_location.schema),
  publish_directory: optional(fields.publish_directory.schema),
  install_command: optional(fields.install_command.schema),
  build_command: optional(fields.build_command.schema),
  start_command: optional(fields.start_command.schema),
  watch_paths: optional(
    Schema.Array(nonEmpty(line(1_000))).check(Schema.isMaxLength(100, { message: "Must have at most 100 entries." }))
  ),
  ports: optional(Schema.Array(Port).check(Schema.isMaxLength(50, { message: "Must have at most 50 entries." }))),
  domains: optional(Domains),
  compose_domains: optional(
    mapOf(Domains, 100, (name) => name !== "" && name.length <= 255, "The name of a service has 1 to 255 characters.")
  ),
  variables: optional(mapOf(Schema.Union([PlainValue, DatabaseReference]), 200, isKey, keyMessage)),
  secrets: optional(
    Schema.Array(VariableKey).check(Schema.isMaxLength(200, { message: "Must have at most 200 entries." }))
  ),
  health_check: optional(Schema.Union([HealthCheck, Schema.Literal(false)])),
  previews: optional(Schema.Boolean)
})
export type ManifestApplication = typeof ManifestApplication.Type

/** The schema of a database in a manifest. */
export const ManifestDatabase = Schema.Struct({
  type: Schema.Literals(kindNames as ReadonlyArray<DatabaseKind>),
  image: optional(nonEmpty(ImageName))
})
export type ManifestDatabase = typeof ManifestDatabase.Type

const Branch = line(255).check(
  Schema.makeFilter((value: string) => (isBranchName(value) ? undefined : "Must be the name of a branch."))
)

const ManifestEnvironment = Schema.Struct({
  branch: Branch,
  applications: optional(mapOf(ManifestApplication, 20, isName, nameMessage))
})

/** The schema of a manifest (`slipway.yaml`): the desired applications and databases of a repository. */
export const Manifest = Schema.Struct({
  applications: mapOf(ManifestApplication, 20, isName, nameMessage),
  databases: optional(mapOf(ManifestDatabase, 10, isName, nameMessage)),
  environments: optional(mapOf(ManifestEnvironment, 10, isEnvironment, environmentMessage))
})
export type Manifest = typeof Manifest.Type

/** The descriptions of the manifest fields, by path; the paths omit the names of map entries. */
export const manifestFields: Readonly<Record<string, string>> = {
  applications: "The applications by name.",
  "applications.build_pack":
    "The program that builds the image: `packer_a` (or `nixpacks`) is Nixpacks, `packer_b` (or `railpack`) is Cloud Native Buildpacks. If omitted, an application keeps its value; for a new one, the files of the repository decide.",
  "applications.base_directory": "The folder to build, such as `/apps/web`.",
  "applications.dockerfile_location": "The Dockerfile, from `base_directory`.",
  "applications.docker_compose_location": "The compose file, from `base_directory`.",
  "applications.publish_directory": "The folder of a static site.",
  "applications.install_command": "The command that installs dependencies.",
  "applications.build_command": "The command that builds the application.",
  "applications.start_command": "The command that starts the application.",
  "applications.watch_paths": "A push deploys only if it changes one of these paths.",
  "applications.ports": "The ports of the container. The first one serves the domains.",
  "applications.domains": "The addresses, such as `https://site.example`.",
  "applications.compose_domains": "The addresses of each service of the compose file.",
  "applications.variables":
    "Environment variables: a text, or `database: name` for the address of a database with its password.",
  "applications.secrets": "The names of variables with secret values. The API sets the values.",
  "applications.health_check": "The request that a new container must answer before it serves. `false` turns it off.",
  "applications.health_check.path": "The path and query. Default `/`.",
  "applications.health_check.port": "The port. Default: the first one of `ports`.",
  "applications.health_check.method": "The method. Default `GET`.",
  "applications.health_check.status": "The expected status. Default 200.",
  "applications.health_check.interval": "Seconds between requests. Default 5.",
  "applications.health_check.timeout": "Seconds until a request fails. Default 5.",
  "applications.health_check.retries": "Failed requests until the deployment fails. Default 10.",
  "applications.health_check.start_period": "Seconds before the first request counts. Default 5.",
  "applications.previews": "Whether pull requests get a preview.",
  databases: "The databases by name. Each environment has its own.",
  "databases.type": "The type. It cannot change later.",
  "databases.image": "The image with its tag, such as `postgres:17-alpine`. Default: that of the type.",
  environments: "The environments of the project by name. Optional.",
  "environments.branch": "The branch that the environment is deployed from.",
  "environments.applications": "Settings of applications that replace the general ones in this environment."
}

const isNode = (node: unknown): node is Readonly<Record<string, unknown>> => typeof node === "object" && node !== null

/** Adds the descriptions of the manifest fields to a JSON Schema. */
const withMeaning = (node: unknown, path: string): unknown => {
  if (Array.isArray(node)) return node.map((each) => withMeaning(each, path))
  if (!isNode(node)) return node
  return Object.fromEntries(
    Object.entries(node).map(([name, inner]) => {
      if (name !== "properties" || !isNode(inner)) return [name, withMeaning(inner, path)]
      const described = Object.entries(inner).map(([field, schema]) => {
        // The settings of an application mean the same in an environment.
        const general = path === "environments.applications" ? "applications" : path
        const at = general === "" ? field : `${general}.${field}`
        const description = manifestFields[at]
        const whole = withMeaning(schema, at)
        return [field, description !== undefined && isNode(whole) ? { description, ...whole } : whole]
      })
      return [name, Object.fromEntries(described)]
    })
  )
}

/** Returns the JSON Schema of manifests, for editors and other validators. */
export const manifestJsonSchema = (): Readonly<Record<string, unknown>> => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: manifestFile,
  description: "The applications, databases and environments of a repository.",
  ...(withMeaning(Schema.toJsonSchemaDocument(Manifest, { onExcessProperty: "error" }).schema, "") as object)
})
