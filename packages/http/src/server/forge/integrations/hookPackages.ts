import type { Repository } from "@slipway/domain/forge/code"
import type { OwnedVersion } from "@slipway/domain/forge/events"
import { type NewEvent, nobody } from "@slipway/domain/forge/identity"
import type { Occurrence } from "@slipway/domain/forge/integrations"
import { Effect } from "effect"
import { showPackagesTo } from "../registries/showPackages.ts"
import { organizationPart, repositoryPart, senderPart } from "./hookParts.ts"

/** Builds the webhook payload of a published or deleted package version. */
export const ofPackage = Effect.fnUntraced(function* (
  { action: done, actor }: Pick<NewEvent, "action" | "actor">,
  { owner, version }: OwnedVersion,
  repository: Repository | null
) {
  const action = done.endsWith(".publish") ? "created" : "deleted"
  const [shown] = yield* showPackagesTo({ actor: nobody, owner }, [version])
  const { name, type, version: number } = version
  return [
    {
      event: "package",
      branch: undefined,
      payload: {
        action,
        repository: repository && (yield* repositoryPart(repository)),
        package: shown,
        organization: null,
        ...(yield* organizationPart({ owner })),
        sender: yield* senderPart(actor)
      },
      message: {
        title: `[${owner.name}] package ${name} ${number} ${action}`,
        link: action === "created" ? (shown?.html_url ?? "") : "",
        lines: [type],
        repository: repository === null ? owner.name : `${repository.owner.name}/${repository.name}`,
        sender: actor?.name ?? ""
      }
    }
  ] satisfies ReadonlyArray<Occurrence>
})
