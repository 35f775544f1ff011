import { Redacted, Result } from "effect"
import { joinAllProblems, type Problems } from "../../../Problems.ts"
import type { Configuration } from "../../apps/applications/Application.ts"
import type { Attachment, ContainerSpec, Mount, Owner, Pairs, RestartPolicy, RunOptions } from "./ContainerSpec.ts"
import { expandLabels, longestLabels, readLabels } from "./labels.ts"
import { limitsOf, readPortMappings } from "./limits.ts"
import { containerName, sharedHostname, volumeName } from "./names.ts"
import { type HostAccess, readRunOptions } from "./options.ts"

/** The input of {@link containerSpecOf}: the settings of an application and its environment on the server. */
export interface ContainerSpecInput {
  readonly owner: Owner
  readonly configuration: Configuration
  readonly image: string
  readonly variables: Pairs
  readonly networks: ReadonlyArray<Attachment>
  readonly allowed: HostAccess
  /** The mounts of the application's storages (volumes and server paths). */
  readonly storages: ReadonlyArray<Mount>
}

const usualRestart: RestartPolicy = { _tag: "UnlessStopped" }

const named = (owner: Owner, mount: Mount): Mount =>
  mount.source._tag === "Volume"
    ? { ...mount, source: { _tag: "Volume", name: volumeName(owner.application, mount.source.name) } }
    : mount

const withStorages = (options: RunOptions, storages: ReadonlyArray<Mount>): RunOptions => {
  const { dangerous, mounts } = options
  const ofServer = storages.filter(({ source }) => source._tag === "Host")
  return {
    ...options,
    mounts: [...mounts, ...storages.filter((each) => !ofServer.includes(each))],
    dangerous: { ...dangerous, mounts: [...dangerous.mounts, ...ofServer] }
  }
}

const ownNames = (owner: Owner, options: RunOptions, grace: number | null): RunOptions => ({
  ...options,
  stopTimeout: options.stopTimeout ?? grace,
  hostname: options.hostname === null ? null : sharedHostname(owner.application, options.hostname),
  mounts: options.mounts.map((mount) => named(owner, mount))
})

const problemsIn = (name: string, read: Result.Result<unknown, ReadonlyArray<string>>): Problems =>
  Result.isFailure(read) ? { [name]: read.failure } : {}

/** The text fields of an application's configuration that must be parsed, such as `docker run` options. */
export type ContainerFields = Pick<Configuration, "custom_docker_run_options" | "custom_labels" | "ports_mappings">

/** Returns the errors in the parsed text fields of a configuration, by field; omitted fields are not checked. */
export const containerProblems = (fields: Partial<ContainerFields>, allowed: HostAccess): Problems =>
  joinAllProblems([
    problemsIn("custom_docker_run_options", readRunOptions(fields.custom_docker_run_options ?? "", allowed)),
    problemsIn("custom_labels", readLabels(fields.custom_labels ?? "")),
    problemsIn("ports_mappings", readPortMappings(fields.ports_mappings ?? ""))
  ])

/** Returns the container specification of an application; fails with the errors in its configuration, by field. */
export const containerSpecOf = (wanted: ContainerSpecInput): Result.Result<ContainerSpec, Problems> => {
  const { allowed, configuration, owner, storages } = wanted
  const options = readRunOptions(configuration.custom_docker_run_options, allowed)
  const labels = readLabels(configuration.custom_labels)
  const ports = readPortMappings(configuration.ports_mappings)
  if (Result.isFailure(options) || Result.isFailure(labels) || Result.isFailure(ports)) {
    return Result.fail(containerProblems(configuration, allowed))
  }
  if (!allowed.hostAccess && storages.some(({ source }) => source._tag === "Host")) {
    return Result.fail({ storages: ["This instance does not allow applications to mount server paths."] })
  }
  const variables = new Map(wanted.variables.map(([name, value]) => [name, Redacted.value(value)]))
  const expanded = expandLabels(labels.success, variables)
  if (expanded === undefined) {
    const sentence = `Must have at most ${longestLabels} characters, including the variables in them.`
    return Result.fail({ custom_labels: [sentence] })
  }
  return Result.succeed({
    owner,
    name: containerName(owner),
    image: wanted.image,
    entrypoint: options.success.entrypoint,
    command: null,
    environment: wanted.variables,
    labels: expanded,
    networks: wanted.networks,
    ports: ports.success,
    mounts: [],
    files: [],
    limits: limitsOf(configuration),
    restart: options.success.restart ?? usualRestart,
    healthCheck: null,
    options: ownNames(owner, withStorages(options.success, storages), configuration.stop_grace_period)
  })
}
