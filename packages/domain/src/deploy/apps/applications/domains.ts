import type { Problems } from "../../../Problems.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import { type DomainAddress, generatedDomain, parseDomains } from "../domains/DomainAddress.ts"
import type { PlacementFacts } from "../placement/PlacementStore.ts"
import type { Application, Configuration } from "./Application.ts"
import type { Values } from "./Draft.ts"

/**
 * Returns the problems of the field `domains` for a Docker Compose application. The services of such an
 * application have separate domains in `docker_compose_domains`.
 *
 * `sent` is the request body, and `present` the configuration before the request. A request that changes neither of the
 * two fields is accepted, even if the stored values are invalid.
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
 * Returns a problem if the tag for a built image is a digest, because registries only accept a name as a tag.
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

/** Returns every address of an application: its own or generated domain, and the domains of its compose services. */
export const addressesOf = (
  application: Pick<Application, "configuration" | "generatedDomain">
): ReadonlyArray<DomainAddress> => {
  const { docker_compose_domains: compose, domains } = application.configuration
  return [domains, application.generatedDomain ?? "", ...(compose ?? []).map((each) => each.domain)].flatMap(
    (list) => parseDomains(list).addresses
  )
}

/**
 * Returns the generated domain of an application: `present` if it already has one. Returns null if the application has
 * its own domains or disables generated ones.
 */
export const generatedFor = (
  uuid: ApplicationUuid,
  configuration: Configuration,
  server: NonNullable<PlacementFacts["server"]>,
  present: string | null = null
): string | null =>
  configuration.domains.trim() === "" && configuration.autogenerate_domain
    ? (present ?? generatedDomain(uuid, server))
    : null
