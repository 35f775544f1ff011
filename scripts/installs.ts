/**
 * Publishes the packed packages to the npm registry of a forge in memory, and installs them from there into empty projects with
 * npm, pnpm, yarn and bun: `npm run build -- --out <directory>`, then `npm run installs -- <directory>`. The commands of the
 * guide "Install the packages" publish them, and install them once more.
 *
 * Each project imports the packages as ES modules and by `require`, runs the example of the README, checks types without
 * `skipLibCheck` by TypeScript 7 and 5.9, bundles with rolldown, esbuild and Vite, and starts the command. The project of npm
 * also runs with Node 20, 22 and 24, and the library with Deno, in workerd and in Chromium, on Linux and x64.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createForge } from "@slipway/embed"
import { installByGuide, type Publisher, publishByGuide } from "./installs/guide.ts"
import { type Manager, managers } from "./installs/managers.ts"
import { tryRuntimes } from "./installs/runtimes.ts"
import { readmeExample, tryCommand, tryOlderNodes, tryProject, writeProject } from "./installs/trials.ts"

/** A forge in memory that serves an npm registry. */
const startRegistry = async () => {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const forge = await createForge({ url })
  server.on("request", forge.listener())
  const password = "correct horse battery"
  const body = { username: "publisher", email: "publisher@example.com", password, must_change_password: false }
  await forge.actAs("administrator").admin.user.create({ body })
  const response = await fetch(`${url}/api/v1/users/publisher/tokens`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`publisher:${password}`)}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "release", scopes: ["write:package"] })
  })
  const { sha1 } = (await response.json()) as { readonly sha1: string }
  return {
    address: `${url}/api/packages/publisher/npm/`,
    token: sha1,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await forge.dispose()
    }
  }
}

const publishAll = async (packed: string, publisher: Publisher): Promise<void> => {
  const first = await publishByGuide(packed, publisher)
  const published = first.match(/ published$/gm)?.length ?? 0
  if (published < 30 || first.includes("already")) throw new Error(`the first release printed\n${first}`)
  const again = await publishByGuide(packed, publisher)
  const known = again.match(/ is already published$/gm)?.length ?? 0
  if (known !== published) throw new Error(`the second release printed\n${again}`)
  process.stdout.write(`${published} packages published, and skipped by a second run\n`)
}

const tryManager = async (manager: Manager, registry: string, folder: string): Promise<void> => {
  const project = join(folder, manager.name)
  mkdirSync(project)
  writeProject(project, manager)
  manager.configure(project, registry)
  await manager.install(project)
  await tryProject(project, manager)
  if (manager.hasOlderNodes === true) {
    await tryOlderNodes(project)
    await tryRuntimes(project, readmeExample())
  }
  await tryCommand(project, manager)
  process.stdout.write(`${manager.name}: installed and tried\n`)
}

const main = async (packed: string, selected: ReadonlyArray<string>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-installs-"))
  const registry = await startRegistry()
  try {
    const publisher = { registry: registry.address, token: registry.token, folder }
    await publishAll(packed, publisher)
    if (selected.length === 0 || selected.includes("guide")) await installByGuide(packed, publisher)
    for (const manager of managers) {
      if (selected.length === 0 || selected.includes(manager.name)) await tryManager(manager, registry.address, folder)
    }
  } finally {
    await registry.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const [packed = "packed", ...selected] = process.argv.slice(2)
if (!existsSync(packed)) throw new Error(`${packed} is missing: npm run build -- --out packed writes it`)
await main(resolve(packed), selected)
