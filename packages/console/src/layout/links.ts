import { pathOf } from "@slipway/web/foundation"

/** Returns the URL of the sign-in page that redirects to `here` after the sign-in. */
export const signInAt = (here: string): string => `/login?${new URLSearchParams({ next: here })}`

/** Returns the path of a project's page, or of a page below it. */
export const projectPath = (uuid: string, ...below: ReadonlyArray<string>): string => pathOf("projects", uuid, ...below)

/** Returns the path of an environment's page. */
export const environmentPath = (project: string, environment: string, ...below: ReadonlyArray<string>): string =>
  projectPath(project, "environments", environment, ...below)

/** Returns the path of an application's page, or of a page below it. */
export const applicationPath = (uuid: string, ...below: ReadonlyArray<string>): string =>
  pathOf("applications", uuid, ...below)

/** Returns the path of a database's page, or of a page below it. */
export const databasePath = (uuid: string, ...below: ReadonlyArray<string>): string =>
  pathOf("databases", uuid, ...below)

/** Returns the path of a service's page, or of a page below it. */
export const servicePath = (uuid: string, ...below: ReadonlyArray<string>): string => pathOf("services", uuid, ...below)

/** Returns the path of a server's page, or of a page below it. */
export const serverPath = (uuid: string, ...below: ReadonlyArray<string>): string => pathOf("servers", uuid, ...below)

/** Returns the path of the page of a resource, by its type and uuid. */
export const resourcePath = ({ type, uuid }: { readonly type: string; readonly uuid: string }): string =>
  type === "application" ? applicationPath(uuid) : type === "service" ? servicePath(uuid) : databasePath(uuid)

/** Returns the links of a comma-separated list of domains such as `https://shop.example,https://www.shop.example`. */
export const domainsIn = (fqdn: string | null): ReadonlyArray<string> =>
  (fqdn ?? "")
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "")
