import { composeYaml, type TemplateService } from "./composeYaml.ts"

/** A variable that the user of a template must set before the first deployment. */
export interface AskedVariable {
  readonly key: string
  readonly description: string
}

/** A one-click template: a compose text with pinned images, health checks and generated secrets. */
export interface ServiceTemplate {
  /** The name with which a creation request selects the template. */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly category: string
  /** The image references of the services, including versions. */
  readonly images: ReadonlyArray<string>
  /** The port of the first service, to which requests are routed; null if the template serves no requests. */
  readonly port: number | null
  /** The memory that the services need, in MiB. */
  readonly memory: number
  readonly variables: ReadonlyArray<AskedVariable>
  readonly compose: string
}

/** The definition of a template. Requests are routed to its first service. */
export interface TemplateInput {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly category: string
  readonly port: number | null
  readonly memory: number
  /** The variables that the user must set, which the services reference as `${KEY:?…}`, each with its description. */
  readonly asks?: Readonly<Record<string, string>>
  readonly services: Readonly<Record<string, TemplateService>>
}

/** Returns a reference to a variable that the user must set. A deployment fails if it is not set. */
export const requiredVariable = (key: string): string => `\${${key}:?set the variable ${key}}`

/** Returns the name of the variable that contains the URL of a service. */
export const urlOf = (service: string): string => `SERVICE_URL_${service.toUpperCase().replaceAll("-", "_")}`

/** Builds a template. The first service gets an address if the template has a port. */
export const template = ({ asks = {}, services, ...facts }: TemplateInput): ServiceTemplate => {
  const [main = ""] = Object.keys(services)
  const routed = (name: string, service: TemplateService): TemplateService => {
    if (name !== main || facts.port === null) return service
    const key = `${urlOf(main)}_${facts.port}`
    return {
      ...service,
      environment: { [key]: `\${${key}}`, ...service.environment },
      expose: [facts.port]
    }
  }
  const all = Object.fromEntries(Object.entries(services).map(([name, service]) => [name, routed(name, service)]))
  return {
    ...facts,
    images: Object.values(services).map(({ image }) => image),
    variables: Object.entries(asks).map(([key, description]) => ({ key, description })),
    compose: composeYaml(all)
  }
}
