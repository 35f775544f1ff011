/** The parsed event of a webhook in one format for all providers. */
export type WebhookEvent =
  | PushEvent
  | { readonly _tag: "Tag"; readonly name: string }
  | PullRequestEvent
  | { readonly _tag: "Ping" }
  | { readonly _tag: "Other"; readonly event: string }
  | { readonly _tag: "Unreadable" }

/** The user of a forge who pushed. */
export interface Pusher {
  /** The id of the user on the forge, which is the subject of sign-ins through it. */
  readonly id: string
  /** The name of the user at that time; it is only shown. */
  readonly name: string
}

/** A push to a branch, as the sender reports it. */
export interface PushEvent {
  readonly _tag: "Push"
  readonly branch: string
  readonly commit: string
  readonly before: string
  /** The paths of the changed files; null if the payload contains no paths, or may not contain all of them. */
  readonly changed: ReadonlyArray<string> | null
  readonly deleted: boolean
  readonly author: string | null
  readonly message: string | null
  /** The user who pushed; null if the payload names none by id. */
  readonly pusher: Pusher | null
}

/** An event of a pull request, as the sender reports it. */
export interface PullRequestEvent {
  readonly _tag: "PullRequest"
  readonly number: number
  /** The change of the pull request: `updated` is opened or with new commits, `closed` includes merged. */
  readonly change: "updated" | "closed" | "other"
  readonly head: string
  readonly base: string
  /** The newest commit of the pull request; null if the payload lacks the full hash. */
  readonly commit: string | null
  /** Whether the pull request comes from another repository (a fork); true if the payload does not name one. */
  readonly fork: boolean
  /** Whether the pull request is still open, according to the payload. */
  readonly open: boolean
  /** The time of the event by the sender's clock; null if the payload has none. */
  readonly at: string | null
}

/**
 * Parses a webhook payload of one provider. A push can change several branches; the parser returns the change of the
 * given branch.
 */
export type PayloadReader = (event: string, payload: unknown, branch: string) => WebhookEvent
