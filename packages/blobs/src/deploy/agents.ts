import { Agent as HttpAgent } from "node:http"
import { Agent as HttpsAgent } from "node:https"
import { isIP, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import { connect as tlsOver } from "node:tls"

type Done = (error: Error | null, stream?: Duplex) => void

/** Opens a connection to a host and port. */
export type Dial = (host: string, port: number) => Promise<Socket>

const longestHandshake = 10_000

const overTls = (socket: Socket, host: string, done: Done): void => {
  const secure = tlsOver({ socket, host, servername: isIP(host) === 0 ? host : "", ALPNProtocols: ["http/1.1"] })
  const failed = (error: Error) => done(error)
  const tooSlow = () => secure.destroy(new Error("no TLS connection in time"))
  secure.setTimeout(longestHandshake, tooSlow)
  secure.once("error", failed)
  secure.once("secureConnect", () => {
    secure.off("error", failed)
    secure.off("timeout", tooSlow)
    secure.setTimeout(0)
    done(null, secure)
  })
}

const hostOf = ({ host = "" }: { readonly host?: string | null | undefined }): string =>
  (host ?? "").replace(/^\[(.*)\]$/, "$1")

/** Returns Node's agents for http and https that open each connection with `dial`. */
export const agentsOver = (dial: Dial): { readonly httpAgent: HttpAgent; readonly httpsAgent: HttpsAgent } => {
  const httpAgent = new HttpAgent({ keepAlive: true, maxSockets: 8 })
  httpAgent.createConnection = (options, done) => {
    // BOUNDARY: Node's type leaves the callback optional, but the agent always passes one.
    const answer = done as Done
    dial(hostOf(options as { host?: string }), Number((options as { port?: number }).port ?? 80)).then(
      (socket) => answer(null, socket),
      answer
    )
    return undefined
  }
  const httpsAgent = new HttpsAgent({ keepAlive: true, maxSockets: 8 })
  httpsAgent.createConnection = (options, done) => {
    const answer = done as Done
    const host = hostOf(options as { host?: string })
    dial(host, Number((options as { port?: number }).port ?? 443)).then(
      (socket) => overTls(socket, host, answer),
      answer
    )
    return undefined
  }
  return { httpAgent, httpsAgent }
}
