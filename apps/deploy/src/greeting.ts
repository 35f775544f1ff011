import type { FirstStart } from "@slipway/deploy"
import { DatabaseAddress } from "@slipway/sql"
import { Redacted } from "effect"
import type { Settings } from "./config.ts"

/** Prints the generated token of a first start: once, before anything else can fail. */
export const tokenNote = (token: Redacted.Redacted): string => `
Slipway deploy created a root token and prints it once:

  ${Redacted.value(token)}
`

/** Prints the generated password of the root account of a first start, once. */
export const passwordNote = (name: string, password: Redacted.Redacted): string => `
Slipway deploy created the root account ${name} and prints its password once:

  ${Redacted.value(password)}
`

const firstSteps = (base: string, { environment, project, server, token }: FirstStart.Prepared): string => `
Ready for a first application:
  project      ${project.uuid} (${project.name})
  environment  ${environment?.uuid} (${environment?.name})
  server       ${server.uuid} (${server.name})

Create one and deploy it${token === undefined ? " ($DEPLOY_TOKEN is the token you chose)" : ""}:

  curl -X POST ${base}/api/v1/applications/dockerimage \\
    -H "Authorization: Bearer ${token === undefined ? "$DEPLOY_TOKEN" : Redacted.value(token)}" -H "Content-Type: application/json" \\
    -d '{"project_uuid":"${project.uuid}","environment_name":"${environment?.name}","server_uuid":"${server.uuid}","docker_registry_image_name":"nginx","instant_deploy":true}'
`

/** Reports which process runs the proxy of this machine, and its ports. */
const proxyNote = ({ proxy: { http, https, mode } }: Settings): string => {
  const places = [...http, ...https].map(({ address }) => address).join(", ")
  if (mode === "external") return `external Caddy at ${places}`
  const what = mode === "container" ? "Caddy in a container" : "Caddy"
  return `${what}, started with the first deployment, at ${places}; it keeps serving when this service stops`
}

/** Reports the service's address, the local container engine and, after a first start, the prepared resources. */
export const greeting = (
  base: string,
  settings: Settings,
  engine: string,
  prepared: FirstStart.Prepared | undefined
): string => `
Slipway deploy
  API        ${base}/api/v1
  Reference  ${base}/docs
  Console    ${base}/
  Database   ${DatabaseAddress.show(settings.database)}
  Engine     ${engine}
  Proxy      ${proxyNote(settings)}
${prepared === undefined ? "" : firstSteps(base, prepared)}`
