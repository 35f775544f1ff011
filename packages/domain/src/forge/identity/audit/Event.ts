import type { ActionName } from "../../access/actions.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { OrganizationId } from "../organizations/Organization.ts"
import type { TeamId } from "../teams/Team.ts"
import type { UserId } from "../users/User.ts"

/** A user or organization, with its name at the time of the event. */
export interface Person {
  readonly id: UserId
  readonly name: string
}

/** The type of the credential of a request, such as a password or a token; never the secret itself. */
export type SignedInWith =
  | { readonly kind: "nothing" | "password" | "proxy" | "system" }
  | { readonly kind: "token" | "key"; readonly id: number; readonly name: string }

/** The names of events that are not actions of the access tables: internal work, or work authorized in another way. */
export const eventsWithoutAction = ["runner.register", "workflow.progress"] as const

/** The action of an event: an action of the access tables, or a name in `eventsWithoutAction`. */
export type EventAction = ActionName | (typeof eventsWithoutAction)[number]

/** The types of resources that events can be about. */
export const subjectKinds = ["site", "user", "organization", "team", "repository"] as const
export type SubjectKind = (typeof subjectKinds)[number]

/** The resource of an event, with its name at that time. For a hidden or missing resource, id and name are null. */
export interface Subject {
  readonly kind: SubjectKind
  readonly id: number | null
  readonly name: string
}

/** The details of an event that depend on the action: names, numbers and words, never a secret. */
export type Details = Readonly<Record<string, string | number | boolean | null>>

/** An audit event: an action that was performed or rejected. Events are only inserted, never changed. */
export interface Event {
  readonly id: number
  /** The time of the event, in ISO 8601. */
  readonly at: string
  /** The action that was performed or refused. */
  readonly action: EventAction
  readonly outcome: "done" | "refused"
  /** The name of the rule that refused the action; null if it was performed. */
  readonly refusedBy: string | null
  /** The user with the permissions that were used; null for internal work. */
  readonly actor: Person | null
  /** The user who signed in, if it is not `actor`: an administrator who impersonates a user. */
  readonly signedInAs: Person | null
  readonly signedInWith: SignedInWith
  /** The network address of the client; empty for internal work. */
  readonly address: string
  readonly subject: Subject
  /** The organization that owns the repository of the event, or that is its resource; null if there is none. */
  readonly organizationId: OrganizationId | null
  readonly teamId: TeamId | null
  readonly repositoryId: RepositoryId | null
  readonly details: Details
}

/** An event to insert: it has no id yet. */
export type NewEvent = Omit<Event, "id">
