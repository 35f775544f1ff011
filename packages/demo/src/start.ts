import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { defaultSite } from "@slipway/domain/forge/base"
import { createForge, type Forge, type ForgeOptions } from "@slipway/embed"
import { administrator } from "./clients.ts"
import type { People } from "./People.ts"
import { makeDemoWorld } from "./world.ts"

/** The running forge with the demo content, its URL and its users. */
export interface Demo {
  readonly forge: Forge
  readonly url: string
  readonly people: People
}

/**
 * Creates a forge with the demo content. By default, the data is in memory and the git repositories are in a temporary
 * folder.
 */
export const createDemo = async (url: string, options: Omit<ForgeOptions, "url"> = {}): Promise<Demo> => {
  const forge = await createForge({
    administrator,
    git: "temporary",
    site: {
      accounts: { ...defaultSite.accounts, registration: "on" },
      switches: { ...defaultSite.switches, codeSearch: true }
    },
    ...options,
    url
  })
  try {
    return { forge, url, people: await makeDemoWorld(url, (request) => forge.handler(request)) }
  } catch (error) {
    await forge.dispose()
    throw error
  }
}

/** A demo world served over HTTP. */
export interface ServedDemo extends Demo {
  readonly close: () => Promise<void>
}

/** Creates the demo content and serves it over HTTP on a local port; port 0 selects a free one. */
export const serveDemo = async (port: number): Promise<ServedDemo> => {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", resolve)
  })
  const end = () => {
    server.closeAllConnections()
    server.close()
  }
  try {
    const demo = await createDemo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    server.on("request", demo.forge.listener())
    return {
      ...demo,
      close: async () => {
        end()
        await demo.forge.dispose()
      }
    }
  } catch (error) {
    end()
    throw error
  }
}
