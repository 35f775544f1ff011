import { now } from "@slipway/domain"
import { type Service, type ServicePart, type ServicePartUuid, ServiceStore } from "@slipway/domain/deploy/apps"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { Effect } from "effect"
import { needsNoApproval } from "./queue.ts"

/** Stores that stopped parts of a locked service start with its next deployment. */
export const markStarted = Effect.fnUntraced(function* (service: Service, started: ReadonlyArray<ServicePartUuid>) {
  const starts = (part: ServicePart) => part.isStopped && started.includes(part.uuid)
  if (!service.parts.some(starts)) return
  const parts = service.parts.map((part) => (starts(part) ? { ...part, isStopped: false } : part))
  yield* Effect.orDie((yield* ServiceStore).replace({ ...service, parts, updatedAt: yield* now }))
})

/** The permission to start parts of a service, or to request it. */
type MayStart = Authorized<
  "service.deploy" | "service.deploy.request" | "service.part.deploy" | "service.part.deploy.request"
>

/**
 * Starts parts of a locked service with its next deployment, unless that needs an approval. Returns the stopped ones
 * that the approval starts instead.
 */
export const startParts = Effect.fnUntraced(function* (
  { resource: { application, caller } }: MayStart,
  service: Service,
  parts: ReadonlyArray<ServicePart>
) {
  const stopped = parts.filter(({ isStopped }) => isStopped)
  if (!needsNoApproval(caller, application)) return stopped
  const started = stopped.map(({ uuid }) => uuid)
  yield* markStarted(service, started)
  return []
})
