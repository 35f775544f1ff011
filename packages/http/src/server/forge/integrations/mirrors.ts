import type { Repository } from "@slipway/domain/forge/code"
import { intervalText, type Mirror } from "@slipway/domain/forge/integrations"
import { Migrations, PullMirrors, PushMirrors } from "@slipway/forge/integrations"
import { Effect } from "effect"
import { mirrorEndpoints } from "../../../api/forge/integrations/mirrors.ts"
import { renameFields } from "../base/show.ts"
import { zeroTime } from "../base/zeroTime.ts"
import { handle, shownOne } from "../entry/handle.ts"

const showMirrorOf = ({ repository }: { readonly repository: Repository }) =>
  Effect.succeed((mirror: Mirror) => ({
    repo_name: repository.name,
    remote_name: mirror.name,
    remote_address: mirror.url,
    created: mirror.createdAt,
    last_update: mirror.syncedAt ?? zeroTime,
    last_error: mirror.lastError,
    interval: intervalText(mirror.interval),
    sync_on_commit: mirror.onCommit
  }))

const stateOf = ({ lastError, running, syncedAt }: Mirror) => {
  if (running) return "running" as const
  if (lastError !== "") return "failed" as const
  return syncedAt === null ? ("waiting" as const) : ("done" as const)
}

const showMigration = ({ copying, mirror }: Migrations.Progress) => ({
  original_url: mirror.url,
  state: stateOf(mirror),
  mirror: !mirror.oneTime,
  last_error: mirror.lastError,
  copied: copying?.copied ?? 0,
  left_out: copying?.leftOut ?? 0,
  created: mirror.createdAt,
  updated: mirror.syncedAt ?? zeroTime
})

const names = {
  remote_address: "address",
  remote_username: "username",
  remote_password: "password",
  sync_on_commit: "onCommit"
} as const

/** The handlers of push and pull mirrors. */
export const layerMirrors = handle(
  mirrorEndpoints,
  {
    "repository.mirror.sync": ({ proof }) => PullMirrors.sync(proof),
    "repository.migration.read": ({ proof }) => shownOne(Migrations.progress(proof), showMigration),
    "repository.push-mirror.list": ({ page, proof }) => PushMirrors.list(proof, page),
    "repository.push-mirror.create": ({ body, proof }) => PushMirrors.create(proof, renameFields(body, names)),
    "repository.push-mirror.read": ({ params, proof }) => PushMirrors.read(proof, params.name),
    "repository.push-mirror.delete": ({ params, proof }) => PushMirrors.remove(proof, params.name),
    "repository.push-mirror.sync": ({ proof }) => PushMirrors.sync(proof)
  },
  { showTo: showMirrorOf }
)
