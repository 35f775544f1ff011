import { Context, type Effect, type Redacted, Schema } from "effect"
import type { GitHostFailed, HostedBranch, HostedRepository, HostedRepositoryNotFound } from "./HostedRepositories.ts"

/** The URL of a forge, and the token of an account on the forge. */
export interface ForgeAccess {
  /** The URL of the forge without a path, such as `https://forge.example`. */
  readonly url: string
  readonly token: Redacted.Redacted
}

/** An OAuth2 client of this platform at a forge. */
export interface ForgeClient {
  readonly id: string
  readonly secret: Redacted.Redacted
}

/** The user of a forge that a token belongs to. */
export interface ForgePerson {
  readonly name: string
  /** The subject that the forge, as an OpenID Connect provider, gives the user: it belongs to no other user, ever. */
  readonly subject: string
}

/** The owner and name of a repository. */
export interface RepositoryName {
  readonly owner: string
  readonly name: string
}

/**
 * Parses a repository name `owner/name`; undefined for any other text, such as an address.
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

/** A repository as the forge describes it to the account of the connection. */
export interface ForgeRepository extends RepositoryName {
  /** The name of the default branch; null while the repository is empty. */
  readonly defaultBranch: string | null
  /** Whether the account may administer the repository, for example add webhooks. */
  readonly isAdministered: boolean
}

/** The webhook that a forge sends for an application. */
export interface ForgeHook {
  readonly url: string
  readonly secret: Redacted.Redacted
}

/** The read-only deploy key of an application. */
export interface ForgeKey {
  /** The title of the key, which identifies it among the keys of the repository. */
  readonly title: string
  readonly publicKey: string
}

/** The commit states that a deployment can report. */
export const CommitState = Schema.Literals(["pending", "success", "failure"])
export type CommitState = typeof CommitState.Type

/** A commit status to report to a connected forge. */
export interface CommitReport {
  readonly commit: string
  readonly state: CommitState
  /** Identifies the reporter. A later report with the same context replaces this one. */
  readonly context: string
  readonly description: string
  readonly link: string
}

/** The comment about a preview on its pull request. */
export interface ForgeComment {
  readonly pullRequest: number
  /** The account that owns the token. Comments of other accounts are never changed. */
  readonly author: string
  /** Identifies the comment among those of the account. It is invisible in the rendered text. */
  readonly marker: string
  readonly text: string
}

/**
 * Returns the Markdown line that identifies a comment of the platform. It is invisible in the rendered comment.
 *
 * @example
 * markerLine("preview/site --> x") // => "<!-- slipway preview%2Fsite%20--%3E%20x -->"
 */
export const markerLine = (marker: string): string => `<!-- slipway ${encodeURIComponent(marker)} -->`

/** The deployment states that are reported to forges, with GitHub's names. */
export type ForgeDeploymentState = "failure" | "in_progress" | "inactive" | "pending" | "success"

/** A deployment and its state, for the deployment list of the repository. */
export interface ForgeDeployment {
  readonly commit: string
  /** The key that identifies the deployment in the repository. */
  readonly task: string
  /** The name of the environment for a new entry; null to only update an existing entry. */
  readonly environment: string | null
  /** Whether the environment belongs to a preview. */
  readonly isTransient: boolean
  readonly state: ForgeDeploymentState
  readonly description: string
  /** The URL of the deployment on the platform. */
  readonly log: string
  /** The URL of the deployed application; empty if it has none. */
  readonly page: string
}

/** The data with which the platform requests the permission of a forge to run a deployment. */
export interface ForgeDeploymentRequest {
  readonly commit: string
  /** The branch that contains the commit. */
  readonly branch: string
  /** The key that identifies the deployment in the repository. */
  readonly task: string
  readonly environment: string
  /** The URL of the deployment on the platform. */
  readonly log: string
}

/** The decision of a forge on a deployment, according to the protection rules of the environment. */
export interface ForgeApproval {
  readonly state: "approved" | "rejected" | "waiting"
  /** The reason why the deployment must wait or is rejected; empty if it is approved. */
  readonly because: string
}

/** The error when a forge rejects the token of a connection, with the reason. */
export class ForgeTokenRejected extends Schema.TaggedError<ForgeTokenRejected>()("ForgeTokenRejected", {
  because: Schema.String
}) {}

type Failure = GitHostFailed | ForgeTokenRejected

/**
 * Sends requests to the public API of connected forges, with the tokens of accounts.
 *
 * A token is only sent to the address of the forge that issued it, which may be private. Redirects are not followed (invariants
 * I14, I15).
 */
export class ConnectedForges extends Context.Service<
  ConnectedForges,
  {
    /** Revokes a token at the forge. Also succeeds if the forge cannot revoke tokens or does not know the token. */
    readonly revoke: (access: ForgeAccess) => Effect.Effect<void, Failure>
    /**
     * Requests a new token that replaces the current one; undefined if the forge cannot rotate tokens.
     *
     * Both tokens work until the new token is confirmed. A repeated request replaces an unconfirmed new token.
     */
    readonly rotate: (access: ForgeAccess) => Effect.Effect<Redacted.Redacted | undefined, Failure>
    /** Confirms a new token, which revokes the previous token; idempotent. */
    readonly confirm: (access: ForgeAccess) => Effect.Effect<void, Failure>
    /**
     * Returns the successor of the secret of an OAuth2 client, which proves itself by that secret; undefined if the forge
     * cannot rotate it.
     *
     * Both secrets work until the successor is confirmed; repeating replaces an unconfirmed successor.
     */
    readonly rotateClient: (
      access: ForgeAccess,
      client: ForgeClient
    ) => Effect.Effect<Redacted.Redacted | undefined, Failure>
    /** Returns whether the forge accepts the secret of an OAuth2 client, present or successor. */
    readonly acceptsClient: (access: ForgeAccess, client: ForgeClient) => Effect.Effect<boolean, Failure>
    /** Confirms the successor of the secret of an OAuth2 client, which revokes its predecessor; idempotent. */
    readonly confirmClient: (access: ForgeAccess, client: ForgeClient) => Effect.Effect<void, Failure>
    /** Returns the name of the account that owns a token. */
    readonly account: (access: ForgeAccess) => Effect.Effect<string, Failure>
    /** Returns the user that a token belongs to. */
    readonly person: (access: ForgeAccess) => Effect.Effect<ForgePerson, Failure>
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
    /** Lists the file names in a folder of a branch; empty if the folder does not exist. */
    readonly files: (
      access: ForgeAccess,
      name: RepositoryName,
      branch: string,
      folder: string
    ) => Effect.Effect<ReadonlyArray<string>, Failure>
    /** Reads a text file on a branch; undefined if it does not exist. */
    readonly file: (
      access: ForgeAccess,
      name: RepositoryName,
      branch: string,
      path: string
    ) => Effect.Effect<string | undefined, Failure>
    /** Adds the webhook for pushes and pull requests, or updates the webhook with the same URL; idempotent. */
    readonly addHook: (
      access: ForgeAccess,
      name: RepositoryName,
      hook: ForgeHook
    ) => Effect.Effect<void, Failure | HostedRepositoryNotFound>
    /** Removes the webhooks with a URL. Returns false if there is none. */
    readonly removeHook: (access: ForgeAccess, name: RepositoryName, url: string) => Effect.Effect<boolean, Failure>
    /** Adds a read-only deploy key, unless the repository already has it; idempotent. */
    readonly addKey: (
      access: ForgeAccess,
      name: RepositoryName,
      key: ForgeKey
    ) => Effect.Effect<void, Failure | HostedRepositoryNotFound>
    /** Removes the deploy keys with a title. Returns false if there is none. */
    readonly removeKey: (access: ForgeAccess, name: RepositoryName, title: string) => Effect.Effect<boolean, Failure>
    /**
     * Sets the comment with a marker: adds it, or edits the account's oldest one and deletes its duplicates.
     * Idempotent. Returns false if the token may not comment.
     */
    readonly comment: (
      access: ForgeAccess,
      name: RepositoryName,
      comment: ForgeComment
    ) => Effect.Effect<boolean, Failure | HostedRepositoryNotFound>
    /**
     * Adds a status to the deployment with the key `task`; creates the deployment if it does not exist. Idempotent,
     * except that repeated statuses are added again. Returns false if the forge does not support deployments.
     */
    readonly deployment: (
      access: ForgeAccess,
      name: RepositoryName,
      deployment: ForgeDeployment
    ) => Effect.Effect<boolean, Failure>
    /**
     * Creates the deployment with the key `task` unless it exists, and returns whether the protection of its
     * environment permits it. Idempotent. Sets the status to pending or in progress. A forge without deployments
     * permits all.
     */
    readonly approval: (
      access: ForgeAccess,
      name: RepositoryName,
      deployment: ForgeDeploymentRequest
    ) => Effect.Effect<ForgeApproval, Failure>
    /** Sets a commit status. */
    readonly report: (
      access: ForgeAccess,
      name: RepositoryName,
      report: CommitReport
    ) => Effect.Effect<void, Failure | HostedRepositoryNotFound>
  }
>()("@slipway/domain/deploy/ConnectedForges") {}
