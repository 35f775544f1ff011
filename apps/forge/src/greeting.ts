import type { FirstStart } from "@slipway/forge"
import { DatabaseAddress } from "@slipway/sql"
import { Redacted } from "effect"
import type { Settings } from "./config.ts"

/** Prints the generated password of a first start: once, before anything else can fail. */
export const passwordNote = (name: string, password: Redacted.Redacted): string => `
Slipway forge created the site administrator \`${name}\` and prints the password once:

  ${Redacted.value(password)}
`

const weakNote = `
Warning: the password of the administrator is short or common; it can be guessed. Change it before others reach the service:

  npx slipway forge admin user change-password --help
`

const firstSteps = (
  base: string,
  { administrator, password, weak }: FirstStart.Prepared
): string => `${weak ? weakNote : ""}
Create a token${password === undefined ? " ($FORGE_ADMIN_PASSWORD is the password you chose)" : ""}:

  curl -X POST ${base}/api/v1/users/${administrator.name}/tokens \\
    -u "${administrator.name}:${password === undefined ? "$FORGE_ADMIN_PASSWORD" : Redacted.value(password)}" -H "Content-Type: application/json" \\
    -d '{"name":"first","scopes":["all"]}'
`

const sshLine = (host: string, port: number | undefined) => `  Git by SSH ssh://git@${host}:${port}/owner/name.git\n`

const anyAddress: ReadonlyArray<string> = ["0.0.0.0", "::", ""]

/** Returns the URL of the listener, with `localhost` if it listens on all addresses. */
export const listenerUrl = ({ host, port }: Pick<Settings, "host" | "port">): string => {
  const name = anyAddress.includes(host) ? "localhost" : host
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`
}

/** Reports the URL in links, which only the operator knows behind a proxy. */
const linksLine = (chosen: Pick<Settings, "host" | "port" | "rootUrl">): string =>
  chosen.rootUrl === undefined
    ? `${listenerUrl(chosen)} in webhook payloads and workflow events, the address of the request elsewhere (FORGE_ROOT_URL sets one for all)`
    : chosen.rootUrl.origin

/** Reports the service's address and, after a first start, the next steps. */
export const greeting = (
  base: string,
  chosen: Settings,
  sshPort: number | undefined,
  prepared: FirstStart.Prepared | undefined
): string => {
  const { database, rootUrl, ssh } = chosen
  return `
Slipway forge
  Pages      ${base}
  API        ${base}/api/v1
  Reference  ${base}/docs
  Git        ${base}/owner/name.git
  Links      ${linksLine(chosen)}
${ssh === undefined ? "" : sshLine(rootUrl?.hostname ?? ssh.host, sshPort)}  Database   ${DatabaseAddress.show(database)}
${prepared === undefined ? "" : firstSteps(base, prepared)}`
}
