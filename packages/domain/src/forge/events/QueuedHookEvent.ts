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

/** A version of a package, and its owner. */
export interface OwnedVersion {
  readonly owner: Owner
  readonly version: PackageVersion
}

/** A workflow run and its changed jobs, each in its state at that time. */
export interface WorkChange {
  readonly run: WorkflowRun
  /** Whether the run itself changed its state, and not only some of its jobs. */
  readonly moved: boolean
  readonly jobs: ReadonlyArray<WorkflowJob>
}

/**
 * The resources of an event, in their state before it.
 *
 * A package version has its state as created or as last stored; a run and its jobs have their new state.
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

/** The data that webhooks need to report an event, without the event itself. */
export interface HookEventData {
  /** The repository at that time, in case it is removed; a package may have none. */
  readonly repository: Repository | null
  readonly before: EventResources
  readonly after: EventResourcesAfter
}

/** A queued event: a worker finds its webhooks, and sends it to them. */
export interface QueuedHookEvent extends HookEventData {
  readonly id: number
  readonly event: NewEvent
}

/** The events of repositories and packages, from their transaction until webhooks receive them. */
export const queuedHookEvents = owned<QueuedHookEvent>()("hookNews", {
  within: [],
  fields: {
    event: Fields.json(),
    repository: Fields.nullable(Fields.json()),
    before: Fields.json(),
    after: Fields.json()
  }
})

/** The resources of an event after its transaction: payloads are rendered from these, regardless of later changes. */
export interface EventResourcesAfter {
  readonly issue?: IssueSnapshot | undefined
  readonly comment?: Comment | undefined
  readonly review?: Review | undefined
  readonly release?: { readonly release: Release; readonly assets: ReadonlyArray<Attachment> } | undefined
  readonly fork?: Repository | undefined
}

/** The parts of an event from which payloads are rendered; jobs of earlier releases have no `after`. */
export interface RenderedEvent extends Pick<QueuedHookEvent, "before" | "event"> {
  readonly after?: EventResourcesAfter | undefined
}
