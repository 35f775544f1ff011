import { createServer } from "node:http"
import { createForge } from "@slipway/embed"

/** Serves a forge that keeps its repositories in a directory, so that `git clone` and `git push` work over HTTP. */
export const start = async (port: number, directory: string, password: string) => {
  const forge = await createForge({
    url: `http://localhost:${port}`,
    git: { directory },
    administrator: { name: "ann", email: "ann@example.com", password }
  })
  await forge.actAs("ann").account.repository.create({ body: { name: "site", auto_init: true } })
  const server = createServer(forge.listener())
  await new Promise<void>((listening) => server.listen(port, listening))
  return { forge, server }
}

if (import.meta.main) await start(3000, "repositories", process.env.FORGE_PASSWORD ?? "")
