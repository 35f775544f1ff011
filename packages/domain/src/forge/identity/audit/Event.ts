import type { ActionName } from "../../access/actions.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { OrganizationId } from "../organizations/Organization.ts"
import type { TeamId } from "../teams/Team.ts"
import type { UserId } from "../users/User.ts"

/** Somebody, by the name they had then. */
export interface Person {
  readonly id: UserId
  readonly name: string
}

/** What a request was signed in with: never the secret itself. */
export type SignedInWith =
  | { readonly kind: "nothing" | "password" | "proxy" | "system" }
  | { readonly kind: "token" | "key"; readonly id: number; readonly name: string }

/** What happens by no action of the access tables: the program does it, or lets it be done by a proof of its own. */
export const ownDeeds = ["runner.register", "workflow.progress"] as const

/** What an event tells of: an action of the access tables, or what happens by none. */
export type EventAction = ActionName | (typeof ownDeeds)[number]

/** The kinds of thing that events are about. */
export const subjectKinds = ["site", "user", "organization", "team", "repository"] as const
export type SubjectKind = (typeof subjectKinds)[number]

/** What an event is about, by the name it had then; a hidden or missing thing has no number and no name. */
export interface Subject {
  readonly kind: SubjectKind
  readonly id: number | null
  readonly name: string
}

/** What is told of an event besides: names, numbers and words, and never a secret. */
export type Details = Readonly<Record<string, string | number | boolean | null>>

/** Something that somebody did, or was refused. Events are only ever added. */
export interface Event {
  readonly id: number
  /** In ISO 8601. */
  readonly at: string
  /** The action that was authorized, or asked for. */
  readonly action: EventAction
  readonly outcome: "done" | "refused"
  /** The rule that refused it. */
  readonly refusedBy: string | null
  /** Whom the request acted as; nobody for the program itself. */
  readonly actor: Person | null
  /** Who signed in, where that is somebody else: an administrator who acts for a user. */
  readonly signedInAs: Person | null
  readonly signedInWith: SignedInWith
  /** The address that the request came from; empty for the program itself. */
  readonly address: string
  readonly subject: Subject
  /** Where it happened, as far as it did in one. */
  readonly organizationId: OrganizationId | null
  readonly teamId: TeamId | null
  readonly repositoryId: RepositoryId | null
  readonly details: Details
}

/** An event that has no number yet. */
export type NewEvent = Omit<Event, "id">
