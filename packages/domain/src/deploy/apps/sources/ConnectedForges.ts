import { Context, type Effect, type Redacted, Schema } from "effect"
import type { GitHostFailed, HostedBranch, HostedRepository, HostedRepositoryNotFound } from "./HostedRepositories.ts"

/** The API of a forge, and the token of an account there. */
export interface ForgeAccess {
  /** The address of the forge without a path, such as `https://forge.example`. */
  readonly url: string
  readonly token: Redacted.Redacted
}

/** The owner and name of a repository. */
export interface RepositoryName {
  readonly owner: string
  readonly name: string
}

/**
 * Reads the short name of a repository; undefined for an address.
 *
 * @example
 * readRepositoryName("acme/site") // => { owner: "acme", name: "site" }
 * readRepositoryName("https://forge.example/acme/site") // => undefined
 * readRepositoryName("acme/..") // => undefined
 */
export const readRepositoryName = (text: string): RepositoryName | undefined => {
  const [, owner, name] = /^((?!\.)[A-Za-z0-9._-]{1,100})\/((?!\.{1,2}$)[A-Za-z0-9._-]{1,100})$/.exec(text) ?? []
  return owner === undefined || name === undefined ? undefined : { owner, name }
}

/** A repository as its forge describes it to the account of a connection. */
export interface ForgeRepository extends RepositoryName {
  /** null while the repository is empty. */
  readonly defaultBranch: string | null
  /** Whether the account may add webhooks. */
  readonly isAdministered: boolean
}

/** The webhook of an application. */
export interface ForgeHook {
  readonly url: string
  readonly secret: Redacted.Redacted
}

/** The deploy key of an application, which may only read. */
export interface ForgeKey {
  /** Identifies the key among those of the repository. */
  readonly title: string
  readonly publicKey: string
}

/** The states of a commit that a deployment reports. */
export const CommitState = Schema.Literals(["pending", "success", "failure"])
export type CommitState = typeof CommitState.Type

/** A commit status that a deployment reports to a connected forge. */
export interface CommitReport {
  readonly commit: string
  readonly state: CommitState
  /** Identifies the reporter; a later report replaces the one with the same context. */
  readonly context: string
  readonly description: string
  readonly link: string
}

/** The comment of a preview on its pull request. */
export interface ForgeComment {
  readonly pullRequest: number
  /** The account of the token; comments of others are never changed. */
  readonly author: string
  /** Identifies the comment among those of the account; invisible in the rendered text. */
  readonly marker: string
  readonly text: string
}

/**
 * Returns the line that identifies a comment, which Markdown does not show.
 *
 * @example
 * markerLine("preview/site --> x") // => "<!-- slipway preview%2Fsite%20--%3E%20x -->"
 */
export const markerLine = (marker: string): string => `<!-- slipway ${encodeURIComponent(marker)} -->`

/** The states of a deployment that are reported, as GitHub names them. */
export type ForgeDeploymentState = "failure" | "in_progress" | "inactive" | "pending" | "success"

/** A deployment and its state, for the list of deployments of the repository. */
export interface ForgeDeployment {
  readonly commit: string
  /** Identifies the deployment in the repository. */
  readonly task: string
  /** The name of the environment; null to report an existing deployment only. */
  readonly environment: string | null
  /** Whether it is the environment of a preview. */
  readonly isTransient: boolean
  readonly state: ForgeDeploymentState
  readonly description: string
  /** The address of the deployment on the platform. */
  readonly log: string
  /** The address of the page; empty without one. */
  readonly page: string
}

/** A deployment that asks the forge whether it may run. */
export interface ForgeDeploymentRequest {
  readonly commit: string
  /** The branch that has the commit. */
  readonly branch: string
  /** Identifies the deployment in the repository. */
  readonly task: string
  readonly environment: string
  /** The address of the deployment on the platform. */
  readonly log: string
}

/** The decision of a forge whether a deployment may run in an environment, by the protection of the environment. */
export interface ForgeApproval {
  readonly state: "approved" | "rejected" | "waiting"
  /** What it waits for, or why it is rejected; empty if it is approved. */
  readonly because: string
}

/** Reports that a forge rejects the token of a connection, and why. */
export class ForgeTokenRejected extends Schema.TaggedError<ForgeTokenRejected>()("ForgeTokenRejected", {
  because: Schema.String
}) {}

type Failure = GitHostFailed | ForgeTokenRejected

/**
 * Calls the public API of forges with tokens of accounts.
 *
 * Sends a token to the address of its forge only, which may be private, and follows no redirect (invariants I14, I15).
 */
export class ConnectedForges extends Context.Service<
  ConnectedForges,
  {
    /** Revokes the token at the forge; a forge that cannot, or that does not know the token, keeps nothing of it here. */
    readonly revoke: (access: ForgeAccess) => Effect.Effect<void, Failure>
    /**
     * Returns the text of the token's successor; undefined if the forge cannot rotate the token.
     *
     * Both tokens work until the successor is confirmed; repeating replaces an unconfirmed successor.
     */
    readonly rotate: (access: ForgeAccess) => Effect.Effect<Redacted.Redacted | undefined, Failure>
    /** Confirms a successor, which revokes its predecessor; idempotent. */
    readonly confirm: (access: ForgeAccess) => Effect.Effect<void, Failure>
    /** Returns the name of the account that a token belongs to. */
    readonly account: (access: ForgeAccess) => Effect.Effect<string, Failure>
    /** Lists the repositories that the account can read, at most 1,000, in the order of the forge. */
    readonly repositories: (access: ForgeAccess) => Effect.Effect<ReadonlyArray<HostedRepository>, Failure>
    /** Lists the branches of a repository, at most 1,000, in the order of the forge. */
    readonly branches: (
      access: ForgeAccess,
      name: RepositoryName
    ) => Effect.Effect<ReadonlyArray<HostedBranch>, Failure | HostedRepositoryNotFound>
    readonly repository: (
      access: ForgeAccess,
      name: RepositoryName
    ) => Effect.Effect<ForgeRepository, Failure | HostedRepositoryNotFound>
    /** Lists the names in a folder of a branch; empty for a missing folder. */
    readonly files: (
      access: ForgeAccess,
      name: RepositoryName,
      branch: string,
      folder: string
    ) => Effect.Effect<ReadonlyArray<string>, Failure>
    /** Reads a text file of a branch; undefined if it does not exist. */
    readonly file: (
      access: ForgeAccess,
      name: RepositoryName,
      branch: string,
      path: string
    ) => Effect.Effect<string | undefined, Failure>
    /** Adds the webhook for pushes and pull requests, or updates the one with the same address; idempotent. */
    readonly addHook: (
      access: ForgeAccess,
      name: RepositoryName,
      hook: ForgeHook
    ) => Effect.Effect<void, Failure | HostedRepositoryNotFound>
    /** Removes the webhooks with an address; false if there is none. */
    readonly removeHook: (access: ForgeAccess, name: RepositoryName, url: string) => Effect.Effect<boolean, Failure>
    /** Adds a deploy key that may only read, unless the repository has it; idempotent. */
    readonly addKey: (
      access: ForgeAccess,
      name: RepositoryName,
      key: ForgeKey
    ) => Effect.Effect<void, Failure | HostedRepositoryNotFound>
    /** Removes the deploy keys with a title; false if there is none. */
    readonly removeKey: (access: ForgeAccess, name: RepositoryName, title: string) => Effect.Effect<boolean, Failure>
    /**
     * Sets the only comment with a marker: adds it, or edits the oldest one of the account and deletes repetitions;
     * idempotent. Returns false if the token may not comment.
     */
    readonly comment: (
      access: ForgeAccess,
      name: RepositoryName,
      comment: ForgeComment
    ) => Effect.Effect<boolean, Failure | HostedRepositoryNotFound>
    /**
     * Adds a status to the deployment of a task, and creates the deployment if the repository has none of that task;
     * idempotent except for repeated statuses. Returns false if the forge has no deployments.
     */
    readonly deployment: (
      access: ForgeAccess,
      name: RepositoryName,
      deployment: ForgeDeployment
    ) => Effect.Effect<boolean, Failure>
    /**
     * Creates the deployment of a task unless the repository has it, and returns whether its environment lets it run;
     * idempotent. Sets its status to pending or in progress. A forge without deployments approves all.
     */
    readonly approval: (
      access: ForgeAccess,
      name: RepositoryName,
      deployment: ForgeDeploymentRequest
    ) => Effect.Effect<ForgeApproval, Failure>
    /** Sets the status of a commit. */
    readonly report: (
      access: ForgeAccess,
      name: RepositoryName,
      report: CommitReport
    ) => Effect.Effect<void, Failure | HostedRepositoryNotFound>
  }
>()("@slipway/domain/deploy/ConnectedForges") {}
