import { createDeployClient } from "@slipway/client/deploy"
import { type BaseReach, createSite, type Site, serviceAccess } from "@slipway/web/foundation"
import { terminalAssetAt } from "./assets/terminal.ts"
import { document } from "./layout/document.ts"
import { signInAt } from "./layout/links.ts"
import type { ConsoleVisit } from "./page/ConsolePage.ts"
import { routes } from "./routing/routes.ts"
import { catalogues } from "./texts/index.ts"

/** The name of the session cookie of the deployment platform. */
export const consoleSession = "slipway_deploy_session"

/** The paths of all pages of the console, such as `/projects/:project`. */
export const pagePaths: ReadonlyArray<string> = routes.map(({ path }) => path)

/** Creates the web console of a deployment platform. It reads and changes data only through the platform's API. */
export const createConsole = ({ now }: { readonly now?: () => Date } = {}): Site<BaseReach> =>
  createSite<ConsoleVisit, BaseReach, ConsoleVisit["deploy"]>({
    pages: routes,
    access: serviceAccess(createDeployClient),
    sessionCookie: consoleSession,
    viewer: async (access) => {
      const found = await access.declaring(["accounts.me"]).accounts.me().result()
      // A token in the cookie is not a session: a page of another site could have set it.
      const isToken = found.ok ? found.value.session_uuid === null : found.error.status === 403
      return isToken ? { ok: false, error: { status: 401 } } : found
    },
    visit: (base, { client, viewer }) => ({ ...base, deploy: client, viewer, texts: catalogues[base.language] }),
    document,
    assetAt: terminalAssetAt,
    signInAt,
    ...(now === undefined ? {} : { now })
  })
