import * as Fields from "../../owned/fields.ts"
import { owned } from "../../owned/Owned.ts"
import type { WorkflowJob } from "../automation/workflows/WorkflowJob.ts"
import type { WorkflowRun } from "../automation/workflows/WorkflowRun.ts"
import type { Attachment } from "../code/attachments/Attachment.ts"
import type { Owner, Repository } from "../code/repositories/Repository.ts"
import type { Comment, Issue } from "../collaboration/issues/Issue.ts"
import type { PullRequest } from "../collaboration/pulls/PullRequest.ts"
import type { Review } from "../collaboration/pulls/Review.ts"
import type { Release } from "../collaboration/releases/Release.ts"
import type { NewEvent } from "../identity/audit/Event.ts"
import type { PackageVersion } from "../registries/packages/Package.ts"
import type { IssueSnapshot } from "./IssueSnapshot.ts"

/** A version of a package, with the owner of the package. */
export interface OwnedVersion {
  readonly owner: Owner
  readonly version: PackageVersion
}

/** A workflow run and its changed jobs, in their states right after the change. */
export interface WorkChange {
  readonly run: WorkflowRun
  /** Whether the state of the run changed; false if only the states of some of its jobs changed. */
  readonly moved: boolean
  readonly jobs: ReadonlyArray<WorkflowJob>
}

/**
 * The resources of an event in their state before it, for the webhook payload.
 *
 * Exceptions: a package version has its state after creation or its last stored state; a workflow run and its jobs have
 * their new state.
 */
export interface EventResources {
  readonly issue?: Issue | undefined
  readonly comment?: Comment | undefined
  readonly pull?: PullRequest | undefined
  readonly review?: Review | undefined
  readonly release?: Release | undefined
  readonly packageVersion?: OwnedVersion | undefined
  readonly work?: WorkChange | undefined
}

/** The stored data from which the webhook payload of an event is built, without the event itself. */
export interface HookEventData {
  /**
   * The repository at the time of the event, because it may be removed before delivery; null for a package without a
   * repository.
   */
  readonly repository: Repository | null
  readonly before: EventResources
  readonly after: EventResourcesAfter
}

/** An event in the queue for webhooks: a worker finds the matching webhooks and creates their deliveries. */
export interface QueuedHookEvent extends HookEventData {
  readonly id: number
  readonly event: NewEvent
}

/**
 * The queue of events of repositories and packages; an entry is inserted in the transaction of the event, and removed
 * after its webhook deliveries are created.
 */
export const queuedHookEvents = owned<QueuedHookEvent>()("hookNews", {
  within: [],
  fields: {
    event: Fields.json(),
    repository: Fields.nullable(Fields.json()),
    before: Fields.json(),
    after: Fields.json()
  }
})

/**
 * The resources of an event right after its transaction. Payloads are built from this copy, so later changes do not
 * affect them.
 */
export interface EventResourcesAfter {
  readonly issue?: IssueSnapshot | undefined
  readonly comment?: Comment | undefined
  readonly review?: Review | undefined
  readonly release?: { readonly release: Release; readonly assets: ReadonlyArray<Attachment> } | undefined
  readonly fork?: Repository | undefined
}

/**
 * The parts of a queued event from which payloads are built; `after` is missing in events queued by earlier releases.
 */
export interface RenderedEvent extends Pick<QueuedHookEvent, "before" | "event"> {
  readonly after?: EventResourcesAfter | undefined
}
