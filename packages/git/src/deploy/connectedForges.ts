import { exactAddressOf } from "@slipway/domain"
import {
  type CommitReport,
  ConnectedForges,
  type ForgeAccess,
  type ForgeApproval,
  type ForgeClient,
  type ForgeComment,
  type ForgeDeployment,
  type ForgeDeploymentRequest,
  ForgeTokenRejected,
  GitHostFailed,
  HostedRepositoryNotFound,
  markerLine,
  type RepositoryName
} from "@slipway/domain/deploy/apps"
import { Egress } from "@slipway/egress"
import { Effect, Layer, Redacted } from "effect"
import { HttpClientRequest } from "effect/http"
import {
  approved,
  hostedBranchOf,
  hostedRepositoryOf,
  readAccount,
  readApproval,
  readBranches,
  readClientSecret,
  readComments,
  readDeployment,
  readDeployments,
  readEnvironment,
  readFiles,
  readHooks,
  readKeys,
  readMessage,
  readPerson,
  readRepositories,
  readRepository,
  readToken,
  reasonOf
} from "./forgeAnswers.ts"
import { queryOf, soughtAmong } from "./soughtDeployment.ts"

/** Returns a public key without its comment. */
const keyOf = (text: string): string => text.trim().split(/\s+/, 2).join(" ")

/** The HTTP status codes by which a forge reports that its API does not have the requested route. */
const unknownRoute: ReadonlyArray<number> = [404, 405]

type Method = "DELETE" | "GET" | "PATCH" | "POST"

const pathOf = ({ name, owner }: RepositoryName): string =>
  `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`

const encodedPath = (path: string): string => path.split("/").filter(Boolean).map(encodeURIComponent).join("/")

/** The requested page size; a page with fewer rows is the last page. */
const perPage = 50
const mostPages = 20

const clientBody = ({ id, secret }: ForgeClient) => ({ client_id: id, client_secret: Redacted.value(secret) })

/** Returns the header with which an OAuth2 client authenticates (RFC 6749, section 2.3.1). */
const clientHeader = ({ id, secret }: ForgeClient): string => {
  const pair = [id, Redacted.value(secret)].map(encodeURIComponent).join(":")
  return `Basic ${Buffer.from(pair).toString("base64")}`
}

const hookBody = (url: string, secret: Redacted.Redacted) => ({
  type: "gitea",
  active: true,
  events: ["push", "pull_request"],
  config: { url, content_type: "json", secret: Redacted.value(secret) }
})

/** Layer that accesses connected forges through their Gitea-compatible API. */
export const layerConnectedForges: Layer.Layer<ConnectedForges, never, Egress> = Layer.effect(
  ConnectedForges,
  Effect.map(Egress, (egress) => {
    const failing = ({ url }: ForgeAccess, because: string) =>
      new GitHostFailed({ because: `the request to the forge ${url} failed: ${because}` })

    /** Sends a request; fails unless it succeeds or the status is accepted. */
    const send = Effect.fnUntraced(function* (
      access: ForgeAccess,
      method: Method,
      path: string,
      { accepted = [], body }: { readonly body?: unknown; readonly accepted?: ReadonlyArray<number> } = {}
    ) {
      const address = exactAddressOf(access.url)
      if (address === undefined) return yield* failing(access, "this is not an http(s) address")
      const plain = HttpClientRequest.make(method)(`${access.url.replace(/\/+$/, "")}/api/v1${path}`, {
        headers: {
          accept: "application/json",
          authorization: `token ${Redacted.value(access.token)}`,
          "user-agent": "slipway"
        }
      })
      const request =
        body === undefined ? plain : HttpClientRequest.bodyText(plain, JSON.stringify(body), "application/json")
      const answer = yield* Effect.mapError(egress.askExactly(address, request), ({ because }) =>
        failing(access, because)
      )
      if (answer.status === 401) {
        return yield* new ForgeTokenRejected({
          because: "the forge rejects the token (401): it was revoked or has expired"
        })
      }
      if (answer.status === 403 && !accepted.includes(403)) {
        return yield* failing(access, "it answers 403, because the account lacks access or the token a scope")
      }
      if ((answer.status < 200 || answer.status > 299) && !accepted.includes(answer.status)) {
        return yield* failing(access, `it answers ${answer.status}`)
      }
      return answer
    })

    /** Introspects an unknown token as an OAuth2 client (RFC 7662), and returns the status: 401 for a wrong secret. */
    const introspect = Effect.fnUntraced(function* (access: ForgeAccess, client: ForgeClient) {
      const address = exactAddressOf(access.url)
      if (address === undefined) return yield* failing(access, "this is not an http(s) address")
      const request = HttpClientRequest.make("POST")(`${access.url.replace(/\/+$/, "")}/login/oauth/introspect`, {
        headers: { accept: "application/json", authorization: clientHeader(client), "user-agent": "slipway" }
      }).pipe(HttpClientRequest.bodyText("token=unknown", "application/x-www-form-urlencoded"))
      const { status } = yield* Effect.mapError(egress.askExactly(address, request), ({ because }) =>
        failing(access, because)
      )
      return status
    })

    const decoded = <A>(access: ForgeAccess, read: Effect.Effect<A, unknown>) =>
      Effect.mapError(read, () => failing(access, "its answer has an unexpected form"))

    /** Returns the rows of a list, at most 1,000; undefined if the list does not exist. */
    const rowsOf = Effect.fnUntraced(function* <Row>(
      access: ForgeAccess,
      path: string,
      read: (body: string) => Effect.Effect<ReadonlyArray<Row>, unknown>
    ) {
      const rows: Array<Row> = []
      for (let page = 1; page <= mostPages; page++) {
        const { body, status } = yield* send(access, "GET", `${path}?limit=${perPage}&page=${page}`, {
          accepted: [404]
        })
        if (status === 404) return undefined
        const found = yield* decoded(access, read(body))
        rows.push(...found)
        if (found.length < perPage) break
      }
      return rows
    })

    /** Returns the ids of the webhooks with a URL; undefined if the repository does not exist. */
    const hooksAt = (access: ForgeAccess, name: RepositoryName, url: string) =>
      Effect.map(rowsOf(access, `${pathOf(name)}/hooks`, readHooks), (hooks) =>
        hooks?.filter(({ config }) => config.url === url).map(({ id }) => id)
      )

    const removeAll = Effect.fnUntraced(function* (access: ForgeAccess, path: string, ids: ReadonlyArray<number>) {
      yield* Effect.forEach(ids, (id) => send(access, "DELETE", `${path}/${id}`, { accepted: [404] }), {
        discard: true
      })
      return ids.length > 0
    })

    /**
     * Returns the ids of an account's comments with a marker, oldest first; undefined if the token may not read them.
     *
     * Some forges ignore the page, so a page without a new comment is the last.
     */
    const ownComments = Effect.fnUntraced(function* (access: ForgeAccess, path: string, author: string, line: string) {
      const seen = new Set<number>()
      const own: Array<number> = []
      for (let page = 1; page <= mostPages; page++) {
        const { body, status } = yield* send(access, "GET", `${path}?limit=${perPage}&page=${page}`, {
          accepted: [403, 404]
        })
        if (status === 404) return yield* new HostedRepositoryNotFound()
        if (status === 403) return undefined
        const fresh = (yield* decoded(access, readComments(body))).filter(({ id }) => !seen.has(id))
        for (const comment of fresh) {
          seen.add(comment.id)
          if (comment.user?.login === author && comment.body.trimEnd().endsWith(line)) own.push(comment.id)
        }
        if (fresh.length < perPage) break
      }
      return own.toSorted((one, other) => one - other)
    })

    return {
      revoke: (access: ForgeAccess) => Effect.asVoid(send(access, "DELETE", "/token", { accepted: [403, 404, 405] })),
      rotate: Effect.fnUntraced(function* (access: ForgeAccess) {
        // A token that is in use is confirmed: an unconfirmed one cannot be rotated.
        const confirmed = yield* send(access, "POST", "/token/rotation/confirm", { accepted: unknownRoute })
        if (unknownRoute.includes(confirmed.status)) return undefined
        const { body, status } = yield* send(access, "POST", "/token/rotation", { accepted: [422] })
        return status === 422 ? undefined : Redacted.make((yield* decoded(access, readToken(body))).sha1)
      }),
      confirm: (access: ForgeAccess) => Effect.asVoid(send(access, "POST", "/token/rotation/confirm")),
      rotateClient: Effect.fnUntraced(function* (access: ForgeAccess, client: ForgeClient) {
        const path = "/oauth2-client/rotation"
        const body = clientBody(client)
        // A secret that is in use is confirmed: an unconfirmed one cannot be rotated.
        const confirmed = yield* send(access, "POST", `${path}/confirm`, { body, accepted: unknownRoute })
        if (unknownRoute.includes(confirmed.status)) return undefined
        const answer = yield* send(access, "POST", path, { body })
        return Redacted.make((yield* decoded(access, readClientSecret(answer.body))).client_secret)
      }),
      acceptsClient: Effect.fnUntraced(function* (access: ForgeAccess, client: ForgeClient) {
        const status = yield* introspect(access, client)
        if (status === 200) return true
        return status === 401 ? false : yield* failing(access, `it answers ${status}`)
      }),
      confirmClient: (access: ForgeAccess, client: ForgeClient) =>
        Effect.asVoid(send(access, "POST", "/oauth2-client/rotation/confirm", { body: clientBody(client) })),
      account: Effect.fnUntraced(function* (access: ForgeAccess) {
        const { body } = yield* send(access, "GET", "/user")
        return (yield* decoded(access, readAccount(body))).login
      }),
      person: Effect.fnUntraced(function* (access: ForgeAccess) {
        const { body } = yield* send(access, "GET", "/user")
        const { id, login } = yield* decoded(access, readPerson(body))
        return { name: login, subject: String(id) }
      }),
      repositories: Effect.fnUntraced(function* (access: ForgeAccess) {
        const rows = yield* rowsOf(access, "/user/repos", readRepositories)
        if (rows === undefined) return yield* failing(access, "it answers 404")
        return rows.map(hostedRepositoryOf)
      }),
      branches: Effect.fnUntraced(function* (access: ForgeAccess, name: RepositoryName) {
        const rows = yield* rowsOf(access, `${pathOf(name)}/branches`, readBranches)
        if (rows === undefined) return yield* new HostedRepositoryNotFound()
        return rows.map(hostedBranchOf)
      }),
      repository: Effect.fnUntraced(function* (access: ForgeAccess, name: RepositoryName) {
        const { body, status } = yield* send(access, "GET", pathOf(name), { accepted: [404] })
        if (status === 404) return yield* new HostedRepositoryNotFound()
        const found = yield* decoded(access, readRepository(body))
        return {
          owner: found.owner.login,
          name: found.name,
          defaultBranch: found.empty === true ? null : (found.default_branch ?? null),
          isAdministered: found.permissions?.admin ?? false
        }
      }),
      files: Effect.fnUntraced(function* (access: ForgeAccess, name: RepositoryName, branch: string, folder: string) {
        const path = `${pathOf(name)}/contents/${encodedPath(folder)}?ref=${encodeURIComponent(branch)}`
        const { body, status } = yield* send(access, "GET", path.replace("/contents/?", "/contents?"), {
          accepted: [404]
        })
        if (status === 404) return []
        const entries = yield* decoded(access, readFiles(body))
        return entries.filter(({ type }) => type === "file").map((entry) => entry.name)
      }),
      file: Effect.fnUntraced(function* (access: ForgeAccess, name: RepositoryName, branch: string, path: string) {
        const raw = `${pathOf(name)}/raw/${encodedPath(path)}?ref=${encodeURIComponent(branch)}`
        const { body, status } = yield* send(access, "GET", raw, { accepted: [404] })
        return status === 404 ? undefined : body
      }),
      addHook: Effect.fnUntraced(function* (access: ForgeAccess, name: RepositoryName, { secret, url }) {
        const ids = yield* hooksAt(access, name, url)
        if (ids === undefined) return yield* new HostedRepositoryNotFound()
        const [present] = ids
        const body = hookBody(url, secret)
        const hooks = `${pathOf(name)}/hooks`
        yield* present === undefined
          ? send(access, "POST", hooks, { body })
          : send(access, "PATCH", `${hooks}/${present}`, { body })
      }),
      removeHook: Effect.fnUntraced(function* (access: ForgeAccess, name: RepositoryName, url: string) {
        return yield* removeAll(access, `${pathOf(name)}/hooks`, (yield* hooksAt(access, name, url)) ?? [])
      }),
      addKey: Effect.fnUntraced(function* (access: ForgeAccess, name: RepositoryName, { publicKey, title }) {
        const path = `${pathOf(name)}/keys`
        const keys = yield* rowsOf(access, path, readKeys)
        if (keys === undefined) return yield* new HostedRepositoryNotFound()
        if (keys.some(({ key }) => keyOf(key) === keyOf(publicKey))) return
        yield* send(access, "POST", path, { body: { title, key: publicKey, read_only: true } })
      }),
      removeKey: Effect.fnUntraced(function* (access: ForgeAccess, name: RepositoryName, title: string) {
        const path = `${pathOf(name)}/keys`
        const keys = (yield* rowsOf(access, path, readKeys)) ?? []
        return yield* removeAll(
          access,
          path,
          keys.filter((key) => key.title === title).map(({ id }) => id)
        )
      }),
      comment: Effect.fnUntraced(function* (
        access: ForgeAccess,
        name: RepositoryName,
        { author, marker, pullRequest, text }: ForgeComment
      ) {
        const comments = `${pathOf(name)}/issues/${pullRequest}/comments`
        const line = markerLine(marker)
        const ids = yield* ownComments(access, comments, author, line)
        if (ids === undefined) return false
        const [first, ...repeated] = ids
        const body = { body: `${text}\n\n${line}` }
        const edited = `${pathOf(name)}/issues/comments`
        const { status } = yield* first === undefined
          ? send(access, "POST", comments, { body, accepted: [403] })
          : send(access, "PATCH", `${edited}/${first}`, { body, accepted: [403] })
        if (status === 403) return false
        yield* removeAll(access, edited, repeated)
        return true
      }),
      deployment: Effect.fnUntraced(function* (access: ForgeAccess, name: RepositoryName, sent: ForgeDeployment) {
        const { commit, description, environment, isTransient, log, page, state, task } = sent
        const path = `${pathOf(name)}/deployments`
        const { body, status } = yield* send(access, "GET", `${path}?${queryOf(sent)}`, { accepted: [404] })
        if (status === 404) return false
        const present = soughtAmong(sent, yield* decoded(access, readDeployments(body)))
        if (present === undefined && environment === null) return true
        const created = { ref: commit, task, environment, transient_environment: isTransient }
        const response =
          present === undefined ? yield* send(access, "POST", path, { body: created, accepted: [422] }) : undefined
        // The environment does not take the branch: the deployment failed with this reason.
        if (response?.status === 422) return true
        const { id } = present ?? (yield* decoded(access, readDeployment(response?.body ?? "")))
        // 409: the environment was protected after the deployment began.
        yield* send(access, "POST", `${path}/${id}/statuses`, {
          body: { state, description, log_url: log, environment_url: page },
          accepted: [409]
        })
        return true
      }),
      approval: Effect.fnUntraced(function* (
        access: ForgeAccess,
        name: RepositoryName,
        request: ForgeDeploymentRequest
      ) {
        const { branch, commit, environment, log, task } = request
        const path = `${pathOf(name)}/deployments`
        const { body, status } = yield* send(access, "GET", `${path}?${queryOf(request)}`, { accepted: [404] })
        if (status === 404) return approved
        const present = soughtAmong(request, yield* decoded(access, readDeployments(body)))
        const create = (ref: string) =>
          send(access, "POST", path, {
            body: { ref, sha: commit, task, environment },
            accepted: [403, 404, 422]
          })
        const first = present === undefined ? yield* create(branch) : undefined
        // The branch no longer has the commit.
        const response = first?.status === 404 ? yield* create(commit) : first
        if (response?.status === 422) {
          return { state: "rejected", because: (yield* decoded(access, readMessage(response.body))).message } as const
        }
        if (response?.status === 403) {
          const rules = yield* send(access, "GET", `${pathOf(name)}/environments/${encodeURIComponent(environment)}`, {
            accepted: [404]
          })
          const isOpen =
            rules.status === 404 || (yield* decoded(access, readEnvironment(rules.body))).protection_rules.length === 0
          const because = `the token of the connection may not create deployments, which the protected environment ${environment} needs`
          return isOpen ? approved : ({ state: "rejected", because } as const)
        }
        if (response?.status === 404) return yield* failing(access, "it answers 404")
        const { id } = present ?? (yield* decoded(access, readDeployment(response?.body ?? "")))
        const answer = yield* send(access, "GET", `${path}/${id}/approval`, { accepted: [404] })
        const approval = answer.status === 404 ? undefined : yield* decoded(access, readApproval(answer.body))
        const state = approval?.state ?? "approved"
        const because = approval === undefined ? "" : reasonOf(environment, approval)
        const isNews = present === undefined || state === "approved"
        if (isNews && state !== "rejected") {
          yield* send(access, "POST", `${path}/${id}/statuses`, {
            body: { state: state === "approved" ? "in_progress" : "pending", description: because, log_url: log },
            // The protection changed since.
            accepted: [409]
          })
        }
        return { state, because } satisfies ForgeApproval
      }),
      report: Effect.fnUntraced(function* (access: ForgeAccess, name: RepositoryName, report: CommitReport) {
        const { commit, context, description, link, state } = report
        const { status } = yield* send(access, "POST", `${pathOf(name)}/statuses/${encodeURIComponent(commit)}`, {
          body: { state, context, description, target_url: link },
          accepted: [404]
        })
        if (status === 404) return yield* new HostedRepositoryNotFound()
      })
    }
  })
)
