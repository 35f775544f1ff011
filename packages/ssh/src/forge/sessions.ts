import { notFound } from "@slipway/domain/forge/access"
import { type GitRepositoryMissing, protocolOf } from "@slipway/domain/forge/code"
import type { Target } from "@slipway/domain/forge/entry"
import type { SshKey } from "@slipway/domain/forge/identity"
import { GitClients } from "@slipway/forge/code"
import { ProposedPulls, withEditableHeadBranches } from "@slipway/forge/collaboration"
import { Entry, KeyEntry } from "@slipway/forge/entry"
import { Cause, Effect, Stream } from "effect"
import type { ServerChannel } from "ssh2"
import { type GitCommand, readCommand } from "./commands.ts"

/** The data of the session of an SSH client. */
export interface Session {
  readonly key: SshKey
  readonly address: string
  /** The variable `GIT_PROTOCOL` of the client: the versions of git's protocol that it supports. */
  readonly protocol: string | undefined
}

const hidden = "the repository does not exist, or you have no access to it"

const write = (channel: ServerChannel, to: NodeJS.WritableStream, bytes: Uint8Array | string) =>
  Effect.callback<void>((resume) => {
    // A closed channel never calls back.
    if (channel.destroyed) return resume(Effect.void)
    const done = () => {
      channel.off("close", done)
      resume(Effect.void)
    }
    channel.once("close", done)
    to.write(bytes, done)
  })

const writeMessage = (channel: ServerChannel, text: string) => write(channel, channel.stderr, `slipway: ${text}\n`)

const targetOf = ({ path }: GitCommand): Target<"repository"> => ({
  kind: "repository",
  owner: path.owner,
  repository: path.repository
})

const inputOf = (channel: ServerChannel): Stream.Stream<Uint8Array> =>
  // A client that has finished sending still receives.
  Stream.fromAsyncIterable<Uint8Array, unknown>(channel.iterator({ destroyOnReturn: false }), (error) => error).pipe(
    Stream.catch(() => Stream.empty)
  )

type SshAction =
  | "git.fetch"
  | "git.push"
  | "git.wiki.fetch"
  | "git.wiki.push"
  | "pull.create"
  | "repository.edit"
  | "git.lfs.read"
  | "git.lfs.write"

/** Authenticates a client by its key for an action on a repository. Fails if the key was removed. */
const visiting = Effect.fnUntraced(function* (
  action: SshAction,
  { address, key }: Session,
  target: Target<"repository">
) {
  const found = yield* KeyEntry.enterWithKey(key.id, target, address)
  if (found === undefined) return yield* Effect.fail("this key was removed")
  return yield* withEditableHeadBranches(action, found)
})

/**
 * Authorizes a client for an action on a repository, and returns the proof of authorization, which use cases require.
 */
const entered = Effect.fnUntraced(function* <A extends SshAction>(
  action: A,
  session: Session,
  target: Target<"repository">
) {
  return yield* Entry.authorizeAndAudit(action, (yield* visiting(action, session, target)) as never)
})

/**
 * Authorizes a client to push. If the client may only propose changes, authorizes it to open pull requests by pushing.
 */
const enteredPush = Effect.fnUntraced(function* (session: Session, target: Target<"repository">) {
  const found = yield* visiting("git.push", session, target)
  const action = yield* ProposedPulls.pushActionOf(found)
  return yield* Entry.authorizeAndAudit(action, found as never) as ReturnType<
    typeof entered<"git.push" | "pull.create">
  >
})

const refusal = (error: unknown): string => {
  if (typeof error === "string") return error
  const { _tag } = error as { readonly _tag?: string }
  if (_tag === "AccessRefused") {
    const { answer } = (error as Entry.AccessRefused).decision
    return answer.status === notFound.status ? hidden : answer.message
  }
  if (_tag === "Renamed") {
    const { owner, repository } = (error as Entry.Renamed).to
    return `the repository was renamed to ${owner}/${repository}: change the URL of your remote`
  }
  if (_tag === "GitBusy") return "too many git clients are connected, try again soon"
  if (_tag === "GitRepositoryMissing" && typeof (error as GitRepositoryMissing).repository === "string") {
    return "this wiki has no pages yet"
  }
  if (_tag === "GitRepositoryMissing") return "the repository is being created, try again soon"
  return "an internal error occurred"
}

const serveGit = Effect.fnUntraced(function* (
  channel: ServerChannel,
  session: Session,
  command: Extract<GitCommand, { _tag: "Git" }>
) {
  const target = targetOf(command)
  const request = { exchange: "talk", protocol: protocolOf(session.protocol), input: inputOf(channel) } as const
  const { wiki } = command.path
  const pushing = wiki ? entered("git.wiki.push", session, target) : enteredPush(session, target)
  const fetching = entered(wiki ? "git.wiki.fetch" : "git.fetch", session, target)
  const answer =
    command.service === "receive-pack"
      ? yield* GitClients.push(
          yield* pushing,
          {
            push: pushing,
            edit: entered("repository.edit", session, target),
            propose: entered("pull.create", session, target),
            open: ProposedPulls.open
          },
          request
        )
      : yield* GitClients.fetch(yield* fetching, fetching, request, command.service)
  yield* Effect.forkScoped(Stream.runForEach(answer.said, (bytes) => write(channel, channel.stderr, bytes)))
  yield* Stream.runForEach(answer.output, (bytes) => write(channel, channel, bytes))
  return Math.max(0, yield* answer.exitCode)
})

/** Runs the command of a client, and returns its exit code. */
export const runCommand = Effect.fnUntraced(
  function* (
    channel: ServerChannel,
    session: Session,
    text: string,
    lfs: (command: Extract<GitCommand, { _tag: "Lfs" }>) => Effect.Effect<string>
  ) {
    const command = readCommand(text)
    if (command === undefined)
      return yield* Effect.fail("only git commands are allowed: git clone, fetch, push and LFS")
    if (command._tag === "Git") return yield* serveGit(channel, session, command)
    if (command.path.wiki) return yield* Effect.fail(hidden)
    yield* entered(command.operation === "upload" ? "git.lfs.write" : "git.lfs.read", session, targetOf(command))
    yield* write(channel, channel, yield* lfs(command))
    return 0
  },
  (running, channel) =>
    running.pipe(
      Effect.scoped,
      Effect.catchCause((cause) => {
        if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause as Cause.Cause<never>)
        const error = Cause.squash(cause)
        const said = refusal(error)
        const logged = Cause.hasDies(cause)
          ? Effect.logError("a git client could not be served by SSH", cause)
          : Effect.void
        return logged.pipe(Effect.andThen(writeMessage(channel, said)), Effect.as(128))
      })
    )
)

/** Writes a greeting to a client that sent no command, and reports that no shell is available. */
export const greet = Effect.fnUntraced(function* (channel: ServerChannel, { key }: Session) {
  const name = yield* KeyEntry.greetingName(key)
  yield* write(
    channel,
    channel,
    `Hello, ${name ?? "guest"}! You are authenticated, but this server provides no shell access.\r\n`
  )
  return 1
})
