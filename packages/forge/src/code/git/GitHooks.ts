import type { RepositoryId } from "@slipway/domain/forge/base"
import { SiteSettings } from "@slipway/domain/forge/base"
import {
  GitHookInvalid,
  type GitHookName,
  GitHookNotFound,
  type GitHookProgram,
  gitHookNames,
  gitHooks
} from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"

const all = { limit: gitHookNames.length }

const named = (name: string): Effect.Effect<GitHookName, GitHookNotFound> => {
  const known = gitHookNames.find((each) => each === name)
  return known === undefined ? Effect.fail(new GitHookNotFound({ name })) : Effect.succeed(known)
}

const programsOf = Effect.fnUntraced(function* (repositoryId: RepositoryId) {
  return (yield* (yield* gitHooks.store).list({ repositoryId }, all)).rows
})

/** Lists all git hooks that a repository may have; a hook without a script is inactive. */
export const list = Effect.fnUntraced(function* ({ resource: { repository } }: Proof<"repository.git-hook.list">) {
  const programs = yield* programsOf(repository.id)
  return gitHookNames.map(
    (name): GitHookProgram => ({ name, content: programs.find((each) => each.name === name)?.content ?? "" })
  )
})

/** Reads a git hook of a repository by name, with its script. */
export const read = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.git-hook.read">,
  id: string
) {
  const name = yield* named(id)
  const found = yield* (yield* gitHooks.store).findBy("name", { repositoryId: repository.id, name })
  return { name, content: found?.content ?? "" } satisfies GitHookProgram
})

const programIn = (content: string): string => content.replaceAll("\r\n", "\n")

/** Sets the script of a git hook; an empty script removes it. */
export const edit = audited(
  Effect.fnUntraced(function* (
    { resource: { repository } }: Proof<"repository.git-hook.edit">,
    id: string,
    text: string
  ) {
    const name = yield* named(id)
    const content = programIn(text)
    if (content !== "" && !/^#![^\n]*\/[^\n]*\n/.test(content)) {
      return yield* new GitHookInvalid({
        problem: "must begin with an interpreter line, such as #!/bin/sh"
      })
    }
    const store = yield* gitHooks.store
    const key = { repositoryId: repository.id, name }
    yield* store.removeBy("name", key)
    if (content !== "") yield* Effect.orDie(store.insertIfAbsent({ ...key, content }))
    return { name, content } satisfies GitHookProgram
  }),
  (_, name) => ({ details: { hook: name } })
)

/** Removes the script of a git hook, so that the hook is inactive. */
export const remove = audited(
  Effect.fnUntraced(function* ({ resource: { repository } }: Proof<"repository.git-hook.delete">, id: string) {
    const name = yield* named(id)
    yield* (yield* gitHooks.store).removeBy("name", { repositoryId: repository.id, name })
  }),
  (_, name) => ({ details: { hook: name } })
)

/** Returns the git hooks to run for a push; none if the site does not allow git hooks. */
export const runOn = Effect.fnUntraced(function* (repositoryId: RepositoryId) {
  const { switches } = yield* SiteSettings
  return switches.gitHooks ? yield* programsOf(repositoryId) : []
})
