import { spawn } from "node:child_process"
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import { folder, newRepository } from "./repositories.ts"

/** A git server for a test, which serves the repositories in a folder with `git http-backend`. */
export interface Forge {
  readonly port: number
  readonly root: string
  /** The requests so far, with their credentials. */
  readonly asked: ReadonlyArray<{ readonly host: string; readonly path: string; readonly authorization: string }>
  /** Makes a repository that is public or requires this `user:password`. */
  readonly repository: (name: string, account?: string) => string
  /** Switches to version 0 of git's protocol, in which clients can request only the newest commits of branches. */
  readonly growOld: () => void
  /** Sets a request listener for a path. */
  readonly at: (path: string, listener: RequestListener) => void
}

/** Runs `git http-backend` as a web server does, by CGI. */
const backend = (
  root: string,
  protocol: string,
  path: string,
  query: string,
  request: IncomingMessage,
  answer: ServerResponse
): void => {
  const child = spawn("git", ["http-backend"], {
    env: {
      ...process.env,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      REQUEST_METHOD: request.method,
      PATH_INFO: path,
      QUERY_STRING: query,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: protocol
    },
    stdio: ["pipe", "pipe", "ignore"]
  })
  child.stdin.on("error", () => {})
  request.pipe(child.stdin)
  answer.on("close", () => child.kill("SIGKILL"))
  let head = Buffer.alloc(0)
  const onHead = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk])
    const end = head.indexOf("\r\n\r\n")
    if (end < 0) return
    child.stdout.off("data", onHead)
    let status = 200
    for (const line of head.subarray(0, end).toString("utf8").split("\r\n")) {
      const [, name = "", value = ""] = /^([^:]+): (.*)$/.exec(line) ?? []
      if (name === "Status") status = Number.parseInt(value, 10)
      else if (name !== "") answer.setHeader(name, value)
    }
    answer.writeHead(status)
    answer.write(head.subarray(end + 4))
    child.stdout.pipe(answer)
  }
  child.stdout.on("data", onHead)
}

/** Starts a git server at a port of 127.0.0.1. */
export const startForge: Effect.Effect<Forge, never, Scope.Scope> = Effect.gen(function* () {
  const root = yield* folder("forge")
  const accounts = new Map<string, string>()
  const pages = new Map<string, RequestListener>()
  let isOld = false
  const asked: Array<Forge["asked"][number]> = []
  const server = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer((request, answer) => {
        const { pathname, search } = new URL(request.url ?? "", "http://forge")
        const authorization = request.headers.authorization ?? ""
        asked.push({ host: request.headers.host ?? "", path: pathname, authorization })
        const page = [...pages].find(([path]) => pathname.startsWith(path))?.[1]
        if (page !== undefined) return page(request, answer)
        const account = accounts.get(pathname.split("/")[1] ?? "")
        if (account !== undefined && authorization !== `Basic ${btoa(account)}`) {
          return answer.writeHead(401, { "www-authenticate": "Basic" }).end()
        }
        const protocol = isOld ? "" : String(request.headers["git-protocol"] ?? "")
        return backend(root, protocol, pathname, search.slice(1), request, answer)
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  return {
    port: (server.address() as AddressInfo).port,
    root,
    asked,
    repository: (name, account) => {
      const path = join(root, name)
      newRepository(path)
      if (account !== undefined) accounts.set(name, account)
      return path
    },
    growOld: () => {
      isOld = true
    },
    at: (path, listener) => void pages.set(path, listener)
  }
})
