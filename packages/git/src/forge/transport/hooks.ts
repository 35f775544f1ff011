import { randomUUID } from "node:crypto"
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { GitHookName, GitHookProgram } from "@slipway/domain/forge/code"
import { sweepFolders } from "@slipway/subprocess"
import { Duration, Effect, type Scope } from "effect"
import { unavailableIfFull } from "../../diskFull.ts"

/** The number of the file descriptor by which git's hooks communicate with the service. */
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

/** Returns script lines that run a custom hook: with a timeout of a minute, without the connection to the service. */
const own = (name: GitHookName) => `
if command -v timeout >/dev/null 2>&1; then
  exec timeout -k 5 60 "$folder/own-${name}" "$@" ${connection}>&-
fi
exec "$folder/own-${name}" "$@" ${connection}>&-
`

/**
 * The `proc-receive` hook: git calls it for pushes to `refs/for/` (proposals of changes).
 *
 * Returns pkt-lines: the protocol version, then the service's report unchanged. Reads and discards git's input,
 * which `pre-receive` has received already, so that git never blocks or gets SIGPIPE.
 */
const procReceive = `#!/bin/sh
exec 4<&0
cat <&4 >/dev/null ${connection}>&- &
printf '000eversion=1\\n0000'
printf 'proposals\\n' >&${connection} || exit 1
while IFS= read -r line <&${connection}; do
  case $line in
    report\\ *) printf '%s' "\${line#report }"; wait; exit 0 ;;
    *) printf '%s\\n' "\${line#+}" >&2 ;;
  esac
done
exit 1
`

const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`

/** Returns the hooks for a repository with custom hooks: each hook asks the service, then runs the custom hook. */
const around = (programs: string): Readonly<Record<GitHookName, string>> => ({
  "pre-receive": `#!/bin/sh
# The service is asked first: of a push that it refuses, the repository's own program never hears.
folder=\${0%/*}
cat >"$folder/lines" && ${quoted(join(programs, "pre-receive"))} <"$folder/lines" || exit 1
[ -x "$folder/own-pre-receive" ] || exit 0
exec <"$folder/lines"${own("pre-receive")}`,
  update: `#!/bin/sh
folder=\${0%/*}
if [ -e "$folder/asked" ]; then
  ${quoted(join(programs, "update"))} "$1" || exit 1
fi
[ -x "$folder/own-update" ] || exit 0${own("update")}`,
  "post-receive": `#!/bin/sh
folder=\${0%/*}
[ -x "$folder/own-post-receive" ] || exit 0${own("post-receive")}`
})

const run = <A>(work: () => Promise<A>): Effect.Effect<A> =>
  Effect.catch(Effect.tryPromise(work), ({ cause }) => Effect.die(unavailableIfFull(cause)))

/** The folder of hooks for one push. `askForEach` adds the hook that git calls for each ref. */
export interface PushHooks {
  readonly folder: string
  readonly askForEach: Effect.Effect<void>
}

/** Installs the hook programs below a folder; returns a function that makes the folder of one push. */
export const installHooks = Effect.fnUntraced(function* (root: string) {
  const programs = join(root, "hooks")
  const pushes = join(root, "pushes")
  yield* run(async () => {
    await mkdir(programs, { recursive: true, mode: 0o700 })
    await mkdir(pushes, { recursive: true, mode: 0o700 })
    // Another process may be running them: each file is replaced atomically.
    const texts = { "pre-receive": preReceive, update, "proc-receive": procReceive }
    for (const [name, text] of Object.entries(texts)) {
      const written = join(programs, `${name}-${randomUUID()}`)
      await writeFile(written, text, { mode: 0o700 })
      await rename(written, join(programs, name))
    }
  })
  yield* sweepFolders({ prefix: "push-", abandoned: Duration.days(1) }, pushes)
  const link = (name: string, folder: string) => symlink(join(programs, name), join(folder, name))
  return {
    open: (hooks: ReadonlyArray<GitHookProgram> = []) =>
      Effect.acquireRelease(
        run(async () => {
          const folder = join(pushes, `push-${randomUUID()}`)
          await mkdir(folder, { mode: 0o700 })
          await link("proc-receive", folder)
          if (hooks.length === 0) await link("pre-receive", folder)
          else {
            const texts = [
              ...Object.entries(around(programs)),
              ...hooks.map(({ content, name }) => [`own-${name}`, content] as const)
            ]
            await Promise.all(texts.map(([name, text]) => writeFile(join(folder, name), text, { mode: 0o700 })))
          }
          return folder
        }),
        (folder) => run(() => rm(folder, { recursive: true, force: true }))
      ).pipe(
        Effect.map(
          (folder): PushHooks => ({
            folder,
            askForEach: run(() => (hooks.length === 0 ? link("update", folder) : writeFile(join(folder, "asked"), "")))
          })
        )
      ) satisfies Effect.Effect<PushHooks, never, Scope.Scope>
  }
})
