import type { ActionName } from "../../access/actions.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { OrganizationId } from "../organizations/Organization.ts"
import type { TeamId } from "../teams/Team.ts"
import type { UserId } from "../users/User.ts"

/** A user or organization, by its name at that time. */
export interface Person {
  readonly id: UserId
  readonly name: string
}

/** The credential type of a request: never the secret itself. */
export type SignedInWith =
  | { readonly kind: "nothing" | "password" | "proxy" | "system" }
  | { readonly kind: "token" | "key"; readonly id: number; readonly name: string }

/** The events without an action of the access tables: internal work, or work with a separate proof. */
export const eventsWithoutAction = ["runner.register", "workflow.progress"] as const

/** The action of an event: one of the access tables, or an event without one. */
export type EventAction = ActionName | (typeof eventsWithoutAction)[number]

/** The resource types of events. */
export const subjectKinds = ["site", "user", "organization", "team", "repository"] as const
export type SubjectKind = (typeof subjectKinds)[number]

/** The subject of an event, by its name at that time; a hidden or missing resource has no id and no name. */
export interface Subject {
  readonly kind: SubjectKind
  readonly id: number | null
  readonly name: string
}

/** The further details of an event: names, numbers and words, never a secret. */
export type Details = Readonly<Record<string, string | number | boolean | null>>

/** A performed or rejected action. Events are append-only. */
export interface Event {
  readonly id: number
  /** In ISO 8601. */
  readonly at: string
  /** The allowed or rejected action. */
  readonly action: EventAction
  readonly outcome: "done" | "refused"
  /** The rule that rejected it. */
  readonly refusedBy: string | null
  /** The user with the deciding permissions; null for internal work. */
  readonly actor: Person | null
  /** The user who signed in, if different: an administrator who impersonates a user. */
  readonly signedInAs: Person | null
  readonly signedInWith: SignedInWith
  /** The address of the request; empty for internal work. */
  readonly address: string
  readonly subject: Subject
  /** The repository or organization of the event, if any. */
  readonly organizationId: OrganizationId | null
  readonly teamId: TeamId | null
  readonly repositoryId: RepositoryId | null
  readonly details: Details
}

/** An event without an id. */
export type NewEvent = Omit<Event, "id">
