import {
  type CommitReport,
  ConnectedForges,
  type ForgeAccess,
  type ForgeApproval,
  type ForgeClient,
  type ForgeComment,
  type ForgeDeployment,
  type ForgeHook,
  type ForgeKey,
  ForgeTokenRejected,
  GitHostFailed,
  HostedRepositoryNotFound,
  markerLine,
  type RepositoryName
} from "@slipway/domain/deploy/apps"
import { Context, Effect, Layer, Redacted } from "effect"

/** A repository of a simulated forge (a code hosting service such as Gitea). */
export interface SimulatedRepository {
  readonly defaultBranch: string | null
  readonly isAdministered: boolean
  /** The texts of its files by path, such as `Dockerfile`. */
  readonly files: Readonly<Record<string, string>>
}

/** A comment at a simulated forge. */
export interface SimulatedComment {
  readonly author: string
  readonly body: string
}

/** A deployment at a simulated forge, with the states that were reported for it, oldest first. */
export interface SimulatedDeployment extends Omit<ForgeDeployment, "state"> {
  readonly repository: string
  readonly states: ReadonlyArray<ForgeDeployment["state"]>
}

/**
 * A simulated forge: its accepted tokens with their accounts, its repositories, and the data that clients stored in it.
 */
export interface SimulatedForge {
  readonly tokens: Map<string, string>
  /** Whether it can rotate tokens. */
  rotates: boolean
  /** The number of rotations. */
  rotations: number
  /** The new tokens that the client has not confirmed yet, each with the token that it replaces. */
  readonly successors: Map<string, string>
  /** The accepted secrets of each OAuth2 client: the present one, and the unconfirmed successor if there is one. */
  readonly clients: Map<string, readonly [present: string, successor?: string]>
  readonly repositories: Map<string, SimulatedRepository>
  /** The webhooks of each repository. */
  readonly hooks: Map<string, ReadonlyArray<ForgeHook>>
  /** The read-only deploy keys of each repository. */
  readonly keys: Map<string, ReadonlyArray<ForgeKey>>
  readonly reports: Array<CommitReport & { readonly repository: string }>
  /** The comments of each pull request, such as `acme/site#7`, oldest first. */
  readonly comments: Map<string, ReadonlyArray<SimulatedComment>>
  /** The approvals of protected environments, by environment name. Deployments to other environments are approved. */
  readonly environments: Map<string, ForgeApproval>
  /** The deployments of all repositories by their task. */
  readonly deployments: Map<string, SimulatedDeployment>
}

/** Starts, stops and resumes simulated forges. Each forge has its own URL. */
export class ForgeSimulation extends Context.Service<
  ForgeSimulation,
  {
    /** Starts an empty forge. */
    readonly start: (url: string) => Effect.Effect<SimulatedForge>
    /** Stops a forge, which keeps its content and answers no request until it is resumed. */
    readonly stop: (url: string) => Effect.Effect<void>
    readonly resume: (url: string) => Effect.Effect<void>
  }
>()("@slipway/memory/deploy/ForgeSimulation") {}

const keyOf = ({ name, owner }: RepositoryName): string => `${owner}/${name}`

/** Simulates connected forges in memory. Requests fail with `GitHostFailed` until a test starts a forge at the URL. */
export const connectedForges: Layer.Layer<ConnectedForges | ForgeSimulation> = Layer.effectContext(
  Effect.sync(() => {
    const forges = new Map<string, SimulatedForge>()
    const stopped = new Set<string>()

    const at = Effect.fnUntraced(function* ({ token, url }: ForgeAccess) {
      const forge = forges.get(url)
      if (forge === undefined || stopped.has(url)) {
        return yield* new GitHostFailed({ because: `the request to the forge ${url} failed: it does not answer` })
      }
      const account = forge.tokens.get(Redacted.value(token))
      if (account === undefined) {
        return yield* new ForgeTokenRejected({
          because: "the forge rejects the token (401): it was revoked or has expired"
        })
      }
      return { account, forge }
    })
    const repositoryAt = Effect.fnUntraced(function* (access: ForgeAccess, name: RepositoryName) {
      const { forge } = yield* at(access)
      const repository = forge.repositories.get(keyOf(name))
      if (repository === undefined) return yield* new HostedRepositoryNotFound()
      return { forge, repository }
    })
    /** Returns the secrets of an OAuth2 client, and the place of the sent one among them: -1 for a wrong secret. */
    const clientAt = (access: ForgeAccess, { id, secret }: ForgeClient) =>
      Effect.map(at(access), ({ forge }) => {
        const secrets = forge.clients.get(id) ?? ([""] as const)
        return { forge, secrets, place: (secrets as ReadonlyArray<string>).indexOf(Redacted.value(secret)) }
      })
    const refused = new GitHostFailed({ because: "the request to the forge failed: it answers 422" })
    const filesOf = (access: ForgeAccess, name: RepositoryName, branch: string) =>
      Effect.map(
        Effect.catchTag(repositoryAt(access, name), "HostedRepositoryNotFound", () => Effect.undefined),
        (found) => (found?.repository.defaultBranch === branch ? found.repository.files : {})
      )

    return Context.make(ConnectedForges, {
      revoke: (access) => Effect.map(at(access), ({ forge }) => void forge.tokens.delete(Redacted.value(access.token))),
      rotate: (access) =>
        Effect.map(at(access), ({ account, forge }) => {
          if (!forge.rotates) return undefined
          const present = Redacted.value(access.token)
          const [lost] = [...forge.successors].find(([, predecessor]) => predecessor === present) ?? []
          if (lost !== undefined) {
            forge.tokens.delete(lost)
            forge.successors.delete(lost)
          }
          forge.rotations++
          const successor = `rotated-${forge.rotations}`
          forge.tokens.set(successor, account)
          forge.successors.set(successor, present)
          return Redacted.make(successor)
        }),
      confirm: (access) =>
        Effect.map(at(access), ({ forge }) => {
          const predecessor = forge.successors.get(Redacted.value(access.token))
          if (predecessor !== undefined) forge.tokens.delete(predecessor)
          forge.successors.delete(Redacted.value(access.token))
        }),
      rotateClient: Effect.fnUntraced(function* (access, client) {
        const { forge, place, secrets } = yield* clientAt(access, client)
        if (!forge.rotates) return undefined
        if (place < 0) return yield* refused
        forge.rotations++
        const successor = `rotated-${forge.rotations}`
        forge.clients.set(client.id, [secrets[place] ?? "", successor])
        return Redacted.make(successor)
      }),
      acceptsClient: (access, client) => Effect.map(clientAt(access, client), ({ place }) => place >= 0),
      confirmClient: Effect.fnUntraced(function* (access, client) {
        const { forge, place, secrets } = yield* clientAt(access, client)
        if (place < 0) return yield* refused
        if (place === 1) forge.clients.set(client.id, [secrets[place] ?? ""])
      }),
      account: (access) => Effect.map(at(access), ({ account }) => account),
      person: (access) =>
        Effect.map(at(access), ({ account, forge }) => {
          const names = [...new Set(forge.tokens.values())]
          return { name: account, subject: String(names.indexOf(account) + 1) }
        }),
      repositories: (access) =>
        Effect.map(at(access), ({ forge }) =>
          [...forge.repositories].map(([fullName, { defaultBranch }], n) => {
            const [owner = "", name = ""] = fullName.split("/")
            const htmlUrl = `${access.url}/${fullName}`
            const cloneUrl = `${htmlUrl}.git`
            return { id: n + 1, owner, name, fullName, isPrivate: true, htmlUrl, cloneUrl, defaultBranch }
          })
        ),
      branches: (access, name) =>
        Effect.map(repositoryAt(access, name), ({ repository: { defaultBranch } }) =>
          defaultBranch === null ? [] : [{ name: defaultBranch, commit: "5d41402a", isProtected: false }]
        ),
      repository: (access, name) =>
        Effect.map(repositoryAt(access, name), ({ repository: { defaultBranch, isAdministered } }) => ({
          ...name,
          defaultBranch,
          isAdministered
        })),
      files: (access, name, branch, folder) =>
        Effect.map(filesOf(access, name, branch), (files) => {
          const start = folder.split("/").filter(Boolean).join("/")
          const prefix = start === "" ? "" : `${start}/`
          return Object.keys(files)
            .filter((path) => path.startsWith(prefix) && !path.slice(prefix.length).includes("/"))
            .map((path) => path.slice(prefix.length))
        }),
      file: (access, name, branch, path) =>
        Effect.map(filesOf(access, name, branch), (files) => files[path.replace(/^\/+/, "")]),
      addHook: (access, name, hook) =>
        Effect.map(repositoryAt(access, name), ({ forge }) => {
          const others = (forge.hooks.get(keyOf(name)) ?? []).filter(({ url }) => url !== hook.url)
          forge.hooks.set(keyOf(name), [...others, hook])
        }),
      removeHook: (access, name, url) =>
        Effect.map(at(access), ({ forge }) => {
          const present = forge.hooks.get(keyOf(name)) ?? []
          const others = present.filter((hook) => hook.url !== url)
          forge.hooks.set(keyOf(name), others)
          return others.length < present.length
        }),
      addKey: (access, name, key) =>
        Effect.map(repositoryAt(access, name), ({ forge }) => {
          const others = (forge.keys.get(keyOf(name)) ?? []).filter(({ publicKey }) => publicKey !== key.publicKey)
          forge.keys.set(keyOf(name), [...others, key])
        }),
      removeKey: (access, name, title) =>
        Effect.map(at(access), ({ forge }) => {
          const present = forge.keys.get(keyOf(name)) ?? []
          const others = present.filter((key) => key.title !== title)
          forge.keys.set(keyOf(name), others)
          return others.length < present.length
        }),
      comment: (access, name, { author, marker, pullRequest, text }: ForgeComment) =>
        Effect.map(repositoryAt(access, name), ({ forge }) => {
          const at = `${keyOf(name)}#${pullRequest}`
          const present = forge.comments.get(at) ?? []
          const line = markerLine(marker)
          const isOwn = (comment: SimulatedComment) => comment.author === author && comment.body.endsWith(line)
          const first = present.find(isOwn)
          const written = { author, body: `${text}\n\n${line}` }
          const others = present.filter((comment) => comment === first || !isOwn(comment))
          const changed = others.map((comment) => (comment === first ? written : comment))
          forge.comments.set(at, first === undefined ? [...present, written] : changed)
          return true
        }),
      deployment: (access, name, { state, ...sent }) =>
        Effect.map(at(access), ({ forge }) => {
          const present = forge.deployments.get(sent.task)
          if (present === undefined && sent.environment === null) return true
          const environment = present?.environment ?? sent.environment
          const states = [...(present?.states ?? []), state]
          forge.deployments.set(sent.task, { ...sent, environment, states, repository: keyOf(name) })
          return true
        }),
      approval: (access, name, { commit, environment, log, task }) =>
        Effect.map(at(access), ({ forge }) => {
          const approval = forge.environments.get(environment) ?? ({ state: "approved", because: "" } as const)
          const present = forge.deployments.get(task)
          if (present !== undefined && approval.state !== "approved") return approval
          const state = approval.state === "approved" ? "in_progress" : "pending"
          const states = [...(present?.states ?? []), state] as const
          const created = { commit, task, environment, isTransient: false, description: "", log, page: "" }
          forge.deployments.set(task, { ...created, states, repository: keyOf(name) })
          return approval
        }),
      report: (access, name, report) =>
        Effect.map(
          repositoryAt(access, name),
          ({ forge }) => void forge.reports.push({ ...report, repository: keyOf(name) })
        )
    }).pipe(
      Context.add(ForgeSimulation, {
        start: (url) =>
          Effect.sync(() => {
            const forge: SimulatedForge = {
              tokens: new Map(),
              rotates: true,
              rotations: 0,
              successors: new Map(),
              clients: new Map(),
              repositories: new Map(),
              hooks: new Map(),
              keys: new Map(),
              reports: [],
              comments: new Map(),
              environments: new Map(),
              deployments: new Map()
            }
            forges.set(url, forge)
            return forge
          }),
        stop: (url) => Effect.sync(() => void stopped.add(url)),
        resume: (url) => Effect.sync(() => void stopped.delete(url))
      })
    )
  })
)
