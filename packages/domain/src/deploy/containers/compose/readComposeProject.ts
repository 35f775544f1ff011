import { Predicate, Result } from "effect"
import type { Problems } from "../../../Problems.ts"
import { noLimits, noOptions } from "../engine/ContainerSpec.ts"
import type { ComposeProject, ComposeService, DeclaredFile } from "./ComposeProject.ts"
import { declaredFile } from "./project/files.ts"
import { type ComposeContext, ComposeLocation, ComposeProblems, shown } from "./project/location.ts"
import { checkNetwork, checkVolume } from "./project/networksAndVolumes.ts"
import { inStartOrder } from "./project/order.ts"
import type { Draft } from "./project/rows.ts"
import { table } from "./project/table.ts"

// The number of services that a server can start concurrently (invariant I25).
const mostServices = 50
const mostEntries = 200
/** The maximum number of server ports that all services of a compose project publish in total. */
const mostPorts = 1_000

/**
 * The maximum total length of the labels of a project's containers, in characters. It is limited because engines return
 * all labels with each list of containers.
 */
const mostLabels = 1_000_000

const nameForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/
const noName =
  "Names must begin with a letter or a digit and may only contain letters, digits, `.`, `_` and `-`, at most 63 characters."
const notSupported = "This field is not supported."

const topFields = ["name", "version", "services", "networks", "volumes", "configs", "secrets"]

type Fields = Readonly<Record<string, unknown>>

const blank = (name: string): Draft => ({
  name,
  image: null,
  build: null,
  entrypoint: null,
  command: null,
  environment: [],
  labels: [],
  exposed: [],
  ports: [],
  networks: [{ name: "default", aliases: [] }],
  dependsOn: [],
  healthCheck: null,
  limits: noLimits,
  restart: null,
  options: noOptions,
  volumes: [],
  anonymous: [],
  optional: []
})

const isUnset = (value: unknown): boolean =>
  value === null ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (Predicate.isObject(value) && Object.keys(value).length === 0)

/** Reads one compose service. Fields are read in table order, because some depend on fields that come earlier. */
const serviceOf = (name: string, fields: Fields, at: ComposeLocation): Draft => {
  let draft = blank(name)
  for (const [field, value] of Object.entries(fields)) {
    if (!table.has(field) && !field.startsWith("x-")) at.within(field).say(notSupported)
    const row = table.get(field)
    if (row !== undefined && "leftOut" in row && row.leftOut !== null && !isUnset(value)) {
      at.within(field).note(row.leftOut)
    }
    if (row !== undefined && "refused" in row && !isUnset(value)) at.within(field).say(row.refused)
  }
  for (const [field, row] of table) {
    const value = Object.hasOwn(fields, field) ? fields[field] : null
    if (value !== null && "read" in row) draft = row.read(draft, value, at.within(field))
  }
  if (draft.image === null && draft.build === null) at.say("Needs `image` or `build`.")
  return draft
}

const recordOf = (value: unknown): Fields | undefined => {
  if (value === undefined || value === null) return {}
  return Predicate.isObject(value) && !Array.isArray(value) ? (value as Fields) : undefined
}

/** Returns the entries of a top-level section with valid names; reports invalid names, and more than `most` entries. */
const entriesOf = (
  config: Fields,
  section: string,
  most: number,
  location: (path: string) => ComposeLocation
): ReadonlyArray<readonly [name: string, value: unknown]> => {
  const record = recordOf(config[section])
  const things = Object.entries(record ?? {}).filter(([name]) => !name.startsWith("x-"))
  if (record === undefined) location(section).say("Must be an object.")
  if (things.length > most) {
    location(section).say(`Must have at most ${most} entries.`)
    return []
  }
  return things.filter(([name]) => {
    if (nameForm.test(name)) return true
    location(section).within(name).say(noName)
    return false
  })
}

const labelsOf = ({ labels, replicas = 1 }: Draft): number =>
  replicas * labels.reduce((sum, [name, value]) => sum + name.length + value.length, 0)

const finished = ({ anonymous: _, optional: __, volumes: ___, ...service }: Draft): ComposeService => service

/** Reports problems between services: references to missing networks, volumes or services, and duplicate names. */
const checkTogether = (
  drafts: ReadonlyArray<Draft>,
  networks: ReadonlySet<string>,
  volumes: ReadonlySet<string>,
  location: (path: string) => ComposeLocation
): void => {
  const names = new Set(drafts.map(({ name }) => name))
  const anonymous = new Set<string>()
  for (const draft of drafts) {
    const at = location("services").within(draft.name)
    for (const { name } of draft.networks) {
      if (name !== "default" && !networks.has(name)) at.within("networks").within(name).say("There is no such network.")
    }
    for (const name of draft.volumes) {
      if (!volumes.has(name)) at.within("volumes").say(`There is no volume \`${shown(name)}\`.`)
    }
    for (const name of draft.anonymous) {
      if (volumes.has(name) || anonymous.has(name)) at.within("volumes").say("Give this volume a name.")
      anonymous.add(name)
    }
    const { replicas = 1 } = draft
    if (replicas > 1 && (draft.ports.length > 0 || draft.options.dangerous.network !== null)) {
      at.within("ports").say("A service with several replicas cannot publish ports: list the port under `expose`.")
    }
    for (let n = 2; n <= replicas; n++) {
      if (names.has(`${draft.name}-${n}`)) {
        location("services").within(`${draft.name}-${n}`).say(`This is the name of a replica of \`${draft.name}\`.`)
      }
    }
    for (const { service } of draft.dependsOn) {
      if (!names.has(service)) at.within("depends_on").within(service).say("There is no such service.")
    }
  }
  if (drafts.reduce((count, { replicas = 1 }) => count + replicas, 0) > mostServices) {
    location("services").say(`Must run in at most ${mostServices} containers.`)
  }
  if (drafts.reduce((count, { ports }) => count + ports.length, 0) > mostPorts) {
    location("services").say(`Must map at most ${mostPorts} ports.`)
  }
  if (drafts.reduce((count, draft) => count + labelsOf(draft), 0) > mostLabels) {
    location("services").say(`Must have labels of at most ${mostLabels} characters over all replicas.`)
  }
}

/**
 * Parses the output of `docker compose config`, in the format of version 1 or 2 of Docker Compose.
 *
 * Only fields of an allowlist are accepted. Fails with all problems; the key of each is the path of the field.
 */
export const readComposeProject = (
  config: unknown,
  context: ComposeContext
): Result.Result<ComposeProject, Problems> => {
  const findings = new ComposeProblems()
  const fields = recordOf(config)
  const files = new Map<string, DeclaredFile>()
  const location = (path: string, service = "") => new ComposeLocation(path, service, { ...context, files }, findings)
  if (fields === undefined) return Result.fail({ compose: ["Must be an object."] })
  for (const [name, value] of Object.entries(fields)) {
    if (!topFields.includes(name) && !name.startsWith("x-") && !isUnset(value)) location(shown(name)).say(notSupported)
  }
  const networks = entriesOf(fields, "networks", mostEntries, location)
  const volumes = entriesOf(fields, "volumes", mostEntries, location)
  const external = networks.flatMap(([name, value]) => {
    const shared = checkNetwork(name, value, location(`networks.${name}`))
    return shared === undefined ? [] : [[name, shared] as const]
  })
  for (const [name, value] of volumes) checkVolume(value, location(`volumes.${name}`))
  for (const section of ["configs", "secrets"]) {
    for (const [name, value] of entriesOf(fields, section, mostEntries, location)) {
      const declared = declaredFile(value, location(`${section}.${name}`))
      if (declared !== undefined) files.set(`${section}.${name}`, declared)
    }
  }
  const services = entriesOf(fields, "services", mostServices, location)
  if (services.length === 0 && findings.isClean) location("services").say("There is no service to run.")
  const read = services.flatMap(([name, value]) => {
    const at = location(`services.${name}`, name)
    const inner = recordOf(value)
    if (inner === undefined) at.say("Must be an object.")
    return inner === undefined ? [] : [serviceOf(name, inner, at)]
  })
  const present = new Set(services.map(([name]) => name))
  const drafts = read.map((draft) => ({
    ...draft,
    dependsOn: draft.dependsOn.filter(({ service }) => present.has(service) || !draft.optional.includes(service))
  }))
  checkTogether(drafts, new Set(networks.map(([name]) => name)), new Set(volumes.map(([name]) => name)), location)
  if (!findings.isClean) return Result.fail(findings.problems)
  const ordered = inStartOrder(drafts)
  if (Result.isFailure(ordered)) {
    return Result.fail({ services: [`Circular dependency: ${ordered.failure.join(", ")}.`] })
  }
  return Result.succeed({
    services: ordered.success.map(finished),
    networks: [...new Set(drafts.flatMap((draft) => draft.networks.map(({ name }) => name)))],
    ...(external.length === 0 ? {} : { external }),
    volumes: [...new Set(drafts.flatMap((draft) => [...draft.volumes, ...draft.anonymous]))],
    notes: findings.notes
  })
}
