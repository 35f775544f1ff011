import { type NewEvent, nobody, type Occurrence, type OwnedVersion, type Repository } from "@slipway/domain/forge"
import { Effect } from "effect"
import { organizationPart, repositoryPart, senderPart } from "./hookParts.ts"
import { showPackagesTo } from "./showPackages.ts"

/** Writes that a version of a package is there, or is gone. */
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
