import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import { type DomainAddress, generatedDomain, parseDomains } from "../domains/DomainAddress.ts"
import type { PlacementFacts } from "../placement/PlacementStore.ts"
import type { Application, Configuration } from "./Application.ts"

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
