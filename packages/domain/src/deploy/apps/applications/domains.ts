import type { Problems } from "../../../Problems.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import { type DomainAddress, generatedDomain, parseDomains } from "../domains/DomainAddress.ts"
import type { PlacementFacts } from "../placement/PlacementStore.ts"
import type { Application, Configuration } from "./Application.ts"
import type { Values } from "./Draft.ts"

/**
 * Returns the problems of the field `domains` for an application that is built with Docker Compose: its services have
 * separate domains, in `docker_compose_domains`.
 *
 * `sent` is the body of the request, `present` the configuration before it. A request that changes neither field is
 * accepted, whatever is stored.
 */
export const composeDomainProblems = (
  sent: Pick<Values, "build_pack" | "domains">,
  present: Partial<Pick<Configuration, "build_pack" | "domains">> = {}
): Problems => {
  const { build_pack: pack = present.build_pack, domains = present.domains ?? "" } = sent
  const isAsked = sent.build_pack !== undefined || sent.domains !== undefined
  return isAsked && pack === "dockercompose" && domains.trim() !== ""
    ? {
        domains: [
          "Must be empty for Docker Compose: give each service its domain in docker_compose_domains, as [{name, domain}]."
        ]
      }
    : {}
}

/**
 * Returns the problem of a digest as the tag of a built image, which no registry accepts.
 *
 * @example
 * builtTagProblems("dockerimage", { docker_registry_image_tag: "sha256:00" }) // => {}
 * Object.keys(builtTagProblems("public", { docker_registry_image_tag: "sha256:00" })) // => ["docker_registry_image_tag"]
 */
export const builtTagProblems = (
  variant: Application["variant"],
  { docker_registry_image_tag: tag }: Pick<Values, "docker_registry_image_tag">
): Problems =>
  variant !== "dockerimage" && tag?.includes(":") === true
    ? { docker_registry_image_tag: ["Must be a tag: a built image has no digest before it is pushed."] }
    : {}

/**
 * Returns every address that an application serves: its own or the generated one, and those of its compose services.
 */
export const addressesOf = (
  application: Pick<Application, "configuration" | "generatedDomain">
): ReadonlyArray<DomainAddress> => {
  const { docker_compose_domains: compose, domains } = application.configuration
  return [domains, application.generatedDomain ?? "", ...(compose ?? []).map((each) => each.domain)].flatMap(
    (list) => parseDomains(list).addresses
  )
}

/** Returns the generated domain of an application without domains, unless it disables that; keeps `present`. */
export const generatedFor = (
  uuid: ApplicationUuid,
  configuration: Configuration,
  server: NonNullable<PlacementFacts["server"]>,
  present: string | null = null
): string | null =>
  configuration.domains.trim() === "" && configuration.autogenerate_domain
    ? (present ?? generatedDomain(uuid, server))
    : null
