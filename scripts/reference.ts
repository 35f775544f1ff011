/** Writes the generated pages of docs/reference: `npm run reference`. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { cliPage } from "./reference/cli.ts"
import { errorsPage } from "./reference/errors.ts"
import { manifestPage } from "./reference/manifest.ts"
import { performanceListsPage, performancePage } from "./reference/performance.ts"
import { routesPage } from "./reference/routes.ts"
import { settingsPage } from "./reference/settings.ts"

/** Returns the generated pages by file name. */
export const referencePages = async (): Promise<Readonly<Record<string, string>>> => ({
  "settings.md": settingsPage(),
  "cli.md": await cliPage(),
  "errors.md": errorsPage(),
  "slipway-yaml.md": manifestPage(),
  "forge-routes.md": routesPage("forge"),
  "deploy-routes.md": routesPage("deploy"),
  "performance.md": performancePage(),
  "performance-lists.md": performanceListsPage()
})

if (import.meta.main) {
  const folder = join(import.meta.dirname, "../docs/reference")
  for (const [name, text] of Object.entries(await referencePages())) {
    writeFileSync(join(folder, name), text)
    process.stdout.write(`docs/reference/${name}\n`)
  }
}
