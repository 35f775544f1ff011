import type { Problems } from "../../../Problems.ts"
import type { Application, Configuration } from "../applications/Application.ts"
import { nameEnding } from "../applications/defaults.ts"
import { fields, type PlainField, plainFields } from "../fields/table.ts"

/** The settings of built images that determine the port of their containers. */
const ofBuiltImages: ReadonlyArray<PlainField> = ["build_pack", "is_static"]

/**
 * Returns the settings of an application's copy on another server: those of the application, without settings for
 * reading and building a repository. The copy runs a finished image, so that webhooks and previews do not find it.
 */
export const copySettings = (source: Configuration, server: string): Configuration => {
  const ofSources = plainFields.filter(
    (name) => !fields[name].variants.includes("dockerimage") && !ofBuiltImages.includes(name)
  )
  return {
    ...source,
    ...Object.fromEntries(ofSources.map((name) => [name, null])),
    name: nameEnding(source.name, server),
    is_preview_deployments_enabled: false,
    force_domain_override: false,
    instant_deploy: false
  }
}

/** Returns why an application cannot run at several destinations, by field; no problems if it can. */
export const severalDestinationsProblems = ({
  configuration,
  variant
}: Pick<Application, "configuration" | "variant">): Problems => {
  if (variant === "service" || configuration.build_pack === "dockercompose") {
    return { build_pack: ["An application of several services runs at one destination."] }
  }
  if (variant === "dockerimage" || configuration.docker_registry_image_name) return {}
  return {
    docker_registry_image_name: [
      "Is required for an application with several destinations: its servers share the image through this registry."
    ]
  }
}
