import { Effect } from "effect"
import type { Proof } from "../entry/Proof.ts"

import { audited } from "../events/record.ts"
import { MirrorInvalid } from "./Mirror.ts"
import { wakeAll } from "./wake.ts"

/** Has a repository fetch what it follows, soon. */
export const sync = audited(
  Effect.fnUntraced(function* ({ resource: { repository } }: Proof<"repository.mirror.sync">) {
    const woken = repository.mirror ? yield* wakeAll({ repositoryId: repository.id, direction: "pull" }) : 0
    if (woken === 0) return yield* new MirrorInvalid({ field: "repository", problem: "is no mirror" })
  })
)
