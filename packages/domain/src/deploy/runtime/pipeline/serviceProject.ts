import type { Service } from "../../apps/services/Service.ts"
import { partNamed, serviceVariables } from "../../apps/services/serviceVariables.ts"
import type { ComposeProject } from "../../containers/compose/ComposeProject.ts"

/**
 * Applies the settings of a service to its compose project: the images that the user replaced, and the ports in address
 * variables of the compose text, such as `SERVICE_FQDN_WEB_3000`, to which requests are routed.
 */
export const withSettings = (
  project: ComposeProject,
  { dockerComposeRaw, parts }: Pick<Service, "dockerComposeRaw" | "parts">
): ComposeProject => {
  const images = new Map(parts.flatMap(({ image, name }) => (image === null ? [] : [[name, image] as const])))
  const ports = new Map<string, number>()
  for (const variable of serviceVariables(dockerComposeRaw)) {
    if (variable._tag !== "Address" || variable.port === null) continue
    const part = partNamed(project.services, variable)
    if (part !== undefined && !ports.has(part.name)) ports.set(part.name, variable.port)
  }
  return {
    ...project,
    services: project.services.map((service) => {
      const port = ports.get(service.name)
      const image = images.get(service.name)
      return {
        ...service,
        ...(image === undefined ? {} : { image, build: null }),
        ...(port === undefined ? {} : { exposed: [port, ...service.exposed.filter((each) => each !== port)] })
      }
    })
  }
}
