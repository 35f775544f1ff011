import { type Browser, chromium } from "playwright-core"
import { token } from "../support.ts"

/** The password of the administrator `ann`. */
export const password = "correct horse battery"

/** The settings of a service in memory with the administrator `ann`. No engine responds, so that nothing is deployed. */
export const settingsInMemory = {
  DEPLOY_DATABASE_URL: "memory:",
  DEPLOY_TOKEN: token,
  DEPLOY_ADMIN_USERNAME: "ann",
  DEPLOY_ADMIN_PASSWORD: password,
  DEPLOY_ENGINE_SOCKET: "/nowhere/engine.sock"
}

/** Starts Chromium. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] })
