import { createHmac } from "node:crypto"
import type { Provider } from "@slipway/domain/deploy/apps"

/** The providers that send webhooks. */
export const senders = ["github", "gitlab", "bitbucket", "gitea"] as const satisfies ReadonlyArray<Provider>

/** The secrets of an application, one for each provider. */
export const secretsOf = (name: string) => ({
  manual_webhook_secret_forgeA: `${name} github 🤫`,
  manual_webhook_secret_forgeB: `${name} gitlab 🤫`,
  manual_webhook_secret_forgeC: `${name} bitbucket 🤫`,
  manual_webhook_secret_forgeD: `${name} gitea 🤫`
})

/** Returns the secret of a provider. */
export const secretOf = (name: string, provider: Provider): string => `${name} ${provider} 🤫`

/** Returns the HMAC of a body under a secret, in hexadecimal digits. */
export const hmac = (secret: string, body: string): string => createHmac("sha256", secret).update(body).digest("hex")

/** Returns the headers of a Standard Webhook, signed with a key. */
export const standardHeaders = (key: string | Buffer, body: string, seconds: number, id = "msg_1") => ({
  "webhook-id": id,
  "webhook-timestamp": String(seconds),
  "webhook-signature": `v1,AAAA v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`
})

const proofs: Readonly<Record<Provider, (secret: string, body: string) => Record<string, string>>> = {
  github: (secret, body) => ({ "x-hub-signature-256": `sha256=${hmac(secret, body)}` }),
  gitlab: (secret) => ({ "x-gitlab-token": Buffer.from(secret).toString("latin1") }),
  bitbucket: (secret, body) => ({ "x-hub-signature": `sha256=${hmac(secret, body)}` }),
  gitea: (secret, body) => ({ "x-gitea-signature": hmac(secret, body) })
}

/** Returns the headers with which a provider proves that it knows a secret. */
export const proofOf = (provider: Provider, secret: string, body: string) => proofs[provider](secret, body)

/** The event of a pull request: opened, opened from a fork, closed or merged. */
export type PullRequestChange = "opened" | "fork" | "closed" | "merged"

const isOver = (change: PullRequestChange): boolean => change === "closed" || change === "merged"

const events: Readonly<
  Record<Provider, (event: "push" | "pull_request", change: PullRequestChange) => Record<string, string>>
> = {
  github: (event) => ({ "x-github-event": event, "x-github-delivery": "delivery-1" }),
  gitlab: (event) => ({ "x-gitlab-event": event === "push" ? "Push Hook" : "Merge Request Hook" }),
  bitbucket: (event, change) => ({
    "x-event-key": event === "push" ? "repo:push" : `pullrequest:${isOver(change) ? "fulfilled" : "created"}`
  }),
  gitea: (event) => ({ "x-gitea-event": event, "x-gitea-delivery": "delivery-1" })
}

/** Returns the headers with which a provider names the event. */
export const eventOf = (provider: Provider, event: "push" | "pull_request", change: PullRequestChange = "opened") =>
  events[provider](event, change)

/** The content of a push. */
export interface Pushed {
  readonly branch?: string
  readonly commit?: string
  readonly changed?: ReadonlyArray<string>
  /** Makes each body different. */
  readonly note?: string
}

let pushes = 0

/** Returns the body of a push in the provider's format, different on each call. */
export const pushBody = (provider: Provider, pushed: Pushed = {}): string => {
  const { branch = "main", changed = ["src/a.ts"], commit = "5d41402a".repeat(5), note = String(++pushes) } = pushed
  const before = "0a1b2c3d".repeat(5)
  const message = "Change something\n\nAt last."
  if (provider === "bitbucket") {
    const point = (hash: string) => ({
      type: "branch",
      name: branch,
      target: { hash, message, author: { raw: "Ada <ada@people.example>" } }
    })
    return JSON.stringify({ push: { changes: [{ old: point(before), new: point(commit) }] }, note })
  }
  return JSON.stringify({
    ...(provider === "gitlab" ? { object_kind: "push", total_commits_count: 1 } : {}),
    ...(provider === "gitea" ? { total_commits: 1 } : {}),
    ref: `refs/heads/${branch}`,
    before,
    after: commit,
    commits: [{ id: commit, message, author: { name: "Ada" }, added: [], removed: [], modified: changed }],
    note
  })
}

/** Returns the body of a pull request event in the provider's format. */
export const pullRequestBody = (provider: Provider, change: PullRequestChange = "opened"): string => {
  const commit = "5d41402a".repeat(5)
  const id = change === "fork" ? 2 : 1
  const side = (name: string, of: number) => ({
    ref: name,
    sha: commit,
    repo: { id: of },
    branch: { name },
    repository: { full_name: `team${of}/shop` }
  })
  const [head, base] = [side("feature", id), side("main", 1)]
  // Makes each body different.
  const note = change
  if (provider === "gitlab") {
    const action = change === "merged" ? "merge" : isOver(change) ? "close" : "open"
    const ids = { source_project_id: id, target_project_id: 1, last_commit: { id: commit } }
    const merge = { iid: 7, action, source_branch: "feature", target_branch: "main", ...ids }
    return JSON.stringify({ object_kind: "merge_request", object_attributes: merge, note })
  }
  if (provider === "bitbucket") return JSON.stringify({ pullrequest: { id: 7, source: head, destination: base }, note })
  const action = isOver(change) ? "closed" : "opened"
  return JSON.stringify({ action, number: 7, pull_request: { head, base }, note })
}
