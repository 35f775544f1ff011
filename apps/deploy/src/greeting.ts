import type { FirstStart } from "@slipway/domain/deploy"
import { Redacted } from "effect"
import type { Settings } from "./config.ts"

const withHost = ({ host, port }: Settings) => {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`
}

const createWith = (base: string, { environment, project, server }: FirstStart.Prepared, token: string) => `
Create an application:

  curl -X POST ${base}/api/v1/applications/dockerimage \\
    -H "Authorization: Bearer ${token}" -H "Content-Type: application/json" \\
    -d '{"project_uuid":"${project.uuid}","environment_name":"${environment?.name}","server_uuid":"${server.uuid}","docker_registry_image_name":"nginx"}'
`

/** Says where the service is and, after a first start, what is ready there; a made-up token is said this once. */
export const greeting = (settings: Settings, prepared: FirstStart.Prepared | undefined): string => {
  const base = withHost(settings)
  const where = `
Slipway deploy
  API         ${base}/api/v1
  Reference   ${base}/docs
  Database    ${settings.location}
`
  if (prepared === undefined) return where
  const { environment, project, server, token } = prepared
  const ready = `
Ready for a first application:
  project      ${project.uuid} (${project.name})
  environment  ${environment?.uuid} (${environment?.name})
  server       ${server.uuid} (${server.name})
${token === undefined ? "" : `  root token   ${Redacted.value(token)}   (shown this once)\n`}`
  return where + ready + createWith(base, prepared, token === undefined ? "$DEPLOY_TOKEN" : Redacted.value(token))
}
