import { Effect, Redacted, Result, Schema } from "effect"
import type { Problems } from "../../../Problems.ts"
import { Vault } from "../../../Vault.ts"
import type { Configuration } from "../../apps/applications/Application.ts"
import type { Release } from "../../apps/releases/Release.ts"
import type { ReleaseUuid } from "../../base/ids/ReleaseUuid.ts"
import { noOptions } from "../engine/ContainerSpec.ts"
import type { HostAccess } from "../engine/options.ts"
import { ComposeProject, type ComposeService } from "./ComposeProject.ts"

/** The image that a compose service of a release runs. */
const ServiceImage = Schema.Struct({
  service: Schema.String,
  id: Schema.String,
  /** The port that the image exposes; null if it exposes none. */
  port: Schema.NullOr(Schema.Int)
})

/** The evaluated compose files of a release; stored encrypted, because they contain the values of variables. */
export const ReleasedCompose = Schema.Struct({ project: ComposeProject, images: Schema.Array(ServiceImage) })
export type ReleasedCompose = typeof ReleasedCompose.Type

const AsText = Schema.fromJsonString(ReleasedCompose)
const isText = Schema.decodeUnknownResult(AsText)
const ownerOf = (release: ReleaseUuid) => ({ uuid: release, field: "compose" })

/** Encrypts the evaluated compose files for a release. */
export const sealCompose = Effect.fnUntraced(function* (release: ReleaseUuid, compose: ReleasedCompose) {
  const text = yield* Effect.orDie(Schema.encodeEffect(AsText)(compose))
  return yield* (yield* Vault).seal(ownerOf(release), Redacted.make(text))
})

/** Decrypts the evaluated compose files of a release; null if it has none. */
export const openCompose = Effect.fnUntraced(function* ({ compose, uuid }: Pick<Release, "compose" | "uuid">) {
  if (compose === null) return null
  const text = yield* (yield* Vault).open(ownerOf(uuid), compose)
  return yield* Effect.orDie(Schema.decodeEffect(AsText)(Redacted.value(text)))
})

const usualOptions = JSON.stringify(noOptions.dangerous)

/**
 * Returns the problem of evaluated compose files from another instance: invalid text, or access to the server that this
 * instance does not allow. Undefined if there is none.
 */
export const foreignComposeProblem = (text: string, allowed: HostAccess): string | undefined => {
  const read = isText(text)
  if (Result.isFailure(read)) return "Must be evaluated compose files."
  const opens = read.success.project.services.find(
    ({ options }) => JSON.stringify({ ...noOptions.dangerous, ...options.dangerous }) !== usualOptions
  )
  return opens === undefined || allowed.hostAccess
    ? undefined
    : `The service \`${opens.name}\` has access to the server, which this instance does not allow.`
}

/** Returns the port of a service that receives requests; null if neither its compose file nor its image exposes one. */
export const portOfService = ({ images }: ReleasedCompose, { exposed, name }: ComposeService): number | null =>
  exposed[0] ?? images.find(({ service }) => service === name)?.port ?? null

/**
 * Returns the compose service that receives requests to the domain of the application itself.
 *
 * This is the first service with a domain. If no service has one, it is the last service in start order that listens on
 * a port and that no other service depends on.
 */
export const mainService = (
  compose: ReleasedCompose,
  { docker_compose_domains: domains }: Pick<Configuration, "docker_compose_domains">
): ComposeService | undefined => {
  const { services } = compose.project
  const named = services.find(({ name }) => name === domains?.[0]?.name)
  if (named !== undefined) return named
  const needed = new Set(services.flatMap(({ dependsOn }) => dependsOn.map(({ service }) => service)))
  const listening = services.filter((service) => portOfService(compose, service) !== null)
  return listening.findLast(({ name }) => !needed.has(name)) ?? listening.at(-1)
}

/** Returns a field error if a domain is set for a service that the compose files do not contain; otherwise null. */
export const unknownService = (
  { services }: Pick<ComposeProject, "services">,
  { docker_compose_domains: domains }: Pick<Configuration, "docker_compose_domains">
): Problems | null => {
  const unknown = (domains ?? []).find(({ name }) => !services.some((service) => service.name === name))
  if (unknown === undefined) return null
  const names = services.map(({ name }) => `\`${name}\``).join(", ")
  return { docker_compose_domains: [`There is no service \`${unknown.name}\`: use one of ${names}.`] }
}
