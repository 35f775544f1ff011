import { randomUUID } from "node:crypto"
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { sweepFolders } from "@slipway/subprocess"
import { Duration, Effect, type Scope } from "effect"

/** The number of the connection between git's hooks and the service that started git; no other process has it. */
export const connection = 3

const preReceive = `#!/bin/sh
# Asks the service that started git, over the connection that it left open. Without an answer nothing is accepted.
{
  printf '%s\\n' "$GIT_QUARANTINE_PATH" && cat && printf '\\n' || exit 1
  n=0
  while [ "$n" -lt "\${GIT_PUSH_OPTION_COUNT:-0}" ]; do
    eval "printf '%s\\n' \\"\\$GIT_PUSH_OPTION_$n\\""
    n=$((n + 1))
  done
  printf '\\n'
} >&${connection} || exit 1
while IFS= read -r line <&${connection}; do
  case $line in
    yes) exit 0 ;;
    no) exit 1 ;;
    *) printf '%s\\n' "\${line#+}" >&2 ;;
  esac
done
exit 1
`

const update = `#!/bin/sh
# Asks which refs of a push are refused when others of it are not.
printf '%s\\n' "$1" >&${connection} && IFS= read -r line <&${connection} && [ "$line" = yes ]
`

const run = <A>(work: () => Promise<A>): Effect.Effect<A> => Effect.orDie(Effect.tryPromise(work))

/** The hooks of one push: a folder for git, which asks about the refs one by one only when it has to. */
export interface PushHooks {
  readonly folder: string
  readonly askForEach: Effect.Effect<void>
}

/** Puts the programs of the hooks below a folder; answers with what makes the folder of one push. */
export const installHooks = Effect.fnUntraced(function* (root: string) {
  const programs = join(root, "hooks")
  const pushes = join(root, "pushes")
  yield* run(async () => {
    await mkdir(programs, { recursive: true, mode: 0o700 })
    await mkdir(pushes, { recursive: true, mode: 0o700 })
    // Another process may be running them: each is there whole, or as it was.
    for (const [name, text] of Object.entries({ "pre-receive": preReceive, update })) {
      const written = join(programs, `${name}-${randomUUID()}`)
      await writeFile(written, text, { mode: 0o700 })
      await rename(written, join(programs, name))
    }
  })
  yield* sweepFolders({ prefix: "push-", abandoned: Duration.days(1) }, pushes)
  const link = (name: string, folder: string) => symlink(join(programs, name), join(folder, name))
  return {
    open: Effect.acquireRelease(
      run(async () => {
        const folder = join(pushes, `push-${randomUUID()}`)
        await mkdir(folder, { mode: 0o700 })
        await link("pre-receive", folder)
        return folder
      }),
      (folder) => run(() => rm(folder, { recursive: true, force: true }))
    ).pipe(
      Effect.map((folder): PushHooks => ({ folder, askForEach: run(() => link("update", folder)) }))
    ) satisfies Effect.Effect<PushHooks, never, Scope.Scope>
  }
})
