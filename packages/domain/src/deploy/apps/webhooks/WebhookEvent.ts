/** What a webhook tells, whichever program sends it. */
export type WebhookEvent =
  | PushEvent
  | { readonly _tag: "Tag"; readonly name: string }
  | PullRequestEvent
  | { readonly _tag: "Ping" }
  | { readonly _tag: "Other"; readonly event: string }
  | { readonly _tag: "Unreadable" }

/** A branch that was moved, as whoever sends it says. */
export interface PushEvent {
  readonly _tag: "Push"
  readonly branch: string
  readonly commit: string
  readonly before: string
  /** The paths that changed; null when the payload doesn't tell them, or may not tell all of them. */
  readonly changed: ReadonlyArray<string> | null
  readonly deleted: boolean
  readonly author: string | null
  readonly message: string | null
}

/** A pull request of which something was told, as whoever sends it says. */
export interface PullRequestEvent {
  readonly _tag: "PullRequest"
  readonly number: number
  /** What happened: its commits are others or it was opened, it is over, or anything else. */
  readonly change: "updated" | "closed" | "other"
  readonly head: string
  readonly base: string
  /** Its newest commit; null where the payload doesn't tell it whole. */
  readonly commit: string | null
  /** Whether its commits are in another repository, or in one that the payload doesn't tell. */
  readonly fork: boolean
  /** Whether it is open still, as far as the payload tells. */
  readonly open: boolean
  /** When it was as it is told, by the sender's clock; null where the payload doesn't tell. */
  readonly at: string | null
}

/** Reads a payload of one program; of several branches that one push moved, the one of that name. */
export type PayloadReader = (event: string, payload: unknown, branch: string) => WebhookEvent
