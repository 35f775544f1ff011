/** One service of a one-click template. */
export interface TemplateService {
  /** The image reference of the service, including a version. */
  readonly image: string
  readonly command?: ReadonlyArray<string>
  readonly environment?: Readonly<Record<string, string>>
  readonly expose?: ReadonlyArray<number>
  /** The named volumes of the service, as `name:/path`. */
  readonly volumes?: ReadonlyArray<string>
  /** The health check command; exit code 0 means healthy. `$$` stands for a dollar sign. */
  readonly health: ReadonlyArray<string>
  /** The seconds after its start in which failed health checks do not count. */
  readonly startsIn?: number
  /** The names of the services that must be healthy before this service starts. */
  readonly needs?: ReadonlyArray<string>
}

// A JSON string is a double-quoted YAML string.
const text = (value: string): string => JSON.stringify(value)

const section = (name: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : [`${name}:`, ...lines.map((line) => `  ${line}`)]

const listed = (values: ReadonlyArray<string> = []): ReadonlyArray<string> => values.map((value) => `- ${text(value)}`)

const serviceLines = ({
  command,
  environment = {},
  expose = [],
  health,
  image,
  needs = [],
  startsIn = 30,
  volumes
}: TemplateService): ReadonlyArray<string> => [
  `image: ${text(image)}`,
  ...section("command", listed(command)),
  ...section(
    "environment",
    Object.entries(environment).map(([key, value]) => `${key}: ${text(value)}`)
  ),
  ...section("expose", listed(expose.map(String))),
  ...section("volumes", listed(volumes)),
  ...section("healthcheck", [
    ...section("test", listed(health)),
    "interval: 10s",
    "timeout: 5s",
    "retries: 12",
    `start_period: ${startsIn}s`
  ]),
  ...section(
    "depends_on",
    needs.flatMap((name) => section(name, ["condition: service_healthy"]))
  ),
  "restart: unless-stopped"
]

/** Returns the YAML text of a compose file with the given services. */
export const composeYaml = (services: Readonly<Record<string, TemplateService>>): string => {
  const volumes = Object.values(services).flatMap((service) => service.volumes ?? [])
  const names = [...new Set(volumes.map((volume) => volume.split(":", 1)[0] ?? ""))]
  const lines = [
    ...section(
      "services",
      Object.entries(services).flatMap(([name, service]) => section(name, serviceLines(service)))
    ),
    ...section(
      "volumes",
      names.map((name) => `${name}: {}`)
    )
  ]
  return `${lines.join("\n")}\n`
}
