import type { Proof } from "@slipway/domain/forge/entry"
import { MirrorInvalid } from "@slipway/domain/forge/integrations"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { wakeAll } from "./wakeMirrors.ts"

/** Makes a pull mirror due, so that a worker fetches from its source soon. */
export const sync = audited(
  Effect.fnUntraced(function* ({ resource: { repository } }: Proof<"repository.mirror.sync">) {
    const woken = repository.mirror ? yield* wakeAll({ repositoryId: repository.id, direction: "pull" }) : 0
    if (woken === 0) return yield* new MirrorInvalid({ field: "repository", problem: "is no mirror" })
  })
)
