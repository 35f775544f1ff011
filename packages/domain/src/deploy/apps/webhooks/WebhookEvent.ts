/** The event that a webhook reports, independent of the provider. */
export type WebhookEvent =
  | PushEvent
  | { readonly _tag: "Tag"; readonly name: string }
  | PullRequestEvent
  | { readonly _tag: "Ping" }
  | { readonly _tag: "Other"; readonly event: string }
  | { readonly _tag: "Unreadable" }

/** A push to a branch, as the sender reports it. */
export interface PushEvent {
  readonly _tag: "Push"
  readonly branch: string
  readonly commit: string
  readonly before: string
  /** The changed paths; null if the payload has none or may be incomplete. */
  readonly changed: ReadonlyArray<string> | null
  readonly deleted: boolean
  readonly author: string | null
  readonly message: string | null
}

/** An event of a pull request, as the sender reports it. */
export interface PullRequestEvent {
  readonly _tag: "PullRequest"
  readonly number: number
  /** The change: it was opened or has new commits, it was closed, or anything else. */
  readonly change: "updated" | "closed" | "other"
  readonly head: string
  readonly base: string
  /** Its newest commit; null if the payload lacks the full hash. */
  readonly commit: string | null
  /** Whether its commits are in another repository, or in one that the payload does not name. */
  readonly fork: boolean
  /** Whether it is still open, according to the payload. */
  readonly open: boolean
  /** The time of the event by the sender's clock; null if the payload has none. */
  readonly at: string | null
}

/** Reads a payload of one provider. For a push to several branches, returns the event of the given branch. */
export type PayloadReader = (event: string, payload: unknown, branch: string) => WebhookEvent
