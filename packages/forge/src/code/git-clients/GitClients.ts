import {
  type GitAnswer,
  type GitRequest,
  GitTransport,
  isProposal,
  type ProposalAnswer,
  type PushSettings,
  type PushVerdict,
  type RefChange,
  settingsIn
} from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect, Option, Stream } from "effect"
import * as Jobs from "../../base/jobs/jobWorker.ts"
import { runOn } from "../git/GitHooks.ts"
import { type AllowedPush, decide, gitOf } from "../pushes/Pushes.ts"
import { decideProposal, hasProposal, mayNotPropose } from "../pushes/proposals.ts"
import * as Repositories from "../repositories/Repositories.ts"
import { createWiki } from "../wiki/createWiki.ts"

/**
 * The request of a git client: the protocol version, the request data, and the type of exchange; without the
 * repository.
 */
export type ClientRequest = Pick<GitRequest, "exchange" | "input" | "protocol">

/**
 * The proof (result of authorization) that a git client may push to a repository or its wiki. A client with
 * `pull.create` may push only to `refs/for/`.
 */
export type ClientPush = Proof<"git.push"> | Proof<"git.wiki.push"> | Proof<"pull.create">

/** The proof (result of authorization) that a git client may fetch from a repository or its wiki. */
export type ClientFetch = Proof<"git.fetch"> | Proof<"git.wiki.fetch">

const encoder = new TextEncoder()

/** Encodes a text as a pkt-line of the git protocol: its length in four hexadecimal digits, then the text. */
export const packetLine = (text: string): Uint8Array => {
  const bytes = encoder.encode(text)
  return encoder.encode(`${(bytes.length + 4).toString(16).padStart(4, "0")}${text}`)
}

/**
 * Authorizes a git client again. Returns undefined if the client lost access, or if the name now belongs to another
 * repository.
 */
const reauthorize = <P extends ClientFetch | ClientPush, E, R>(
  proof: ClientFetch | ClientPush,
  again: Effect.Effect<P, E, R>
) =>
  Effect.map(
    Effect.option(again),
    Option.filter(({ resource }) => resource.repository.id === proof.resource.repository.id)
  )

/**
 * Serves a fetch of a git client.
 *
 * The client may send its request slowly. So each part of the request is read only after `again` has authorized the
 * client again.
 */
export const fetch = Effect.fnUntraced(function* <E, R>(
  proof: ClientFetch,
  again: Effect.Effect<ClientFetch, E, R>,
  request: ClientRequest,
  service: "upload-pack" | "upload-archive" = "upload-pack"
) {
  const services = yield* Effect.context<R>()
  let isIn = true
  const input = request.input.pipe(
    Stream.mapEffect((bytes) =>
      Effect.map(reauthorize(proof, again), (present) => ({ bytes, isIn: present._tag === "Some" }))
    ),
    Stream.takeWhile((heard) => {
      isIn = heard.isIn
      return isIn
    }),
    Stream.map(({ bytes }) => bytes),
    Stream.provideContext(services)
  )
  const answer = yield* (yield* GitTransport).serve({ ...request, input, service, repository: gitOf(proof) })
  const refused = Stream.suspend(() =>
    isIn ? Stream.empty : Stream.make(packetLine("ERR you lost access to this repository"))
  )
  return { ...answer, output: Stream.concat(answer.output, refused) } satisfies GitAnswer
})

/** Sends the refs of a repository to a client that is about to push. */
export const beginPush = Effect.fnUntraced(function* (proof: ClientPush, request: ClientRequest) {
  if (proof.action === "git.wiki.push") yield* createWiki(proof.resource.repository)
  return yield* (yield* GitTransport).serve({ ...request, service: "receive-pack", repository: gitOf(proof) })
})

const lost: PushVerdict["messages"] = ["you may no longer push to this repository"]
const onlyProposals: PushVerdict["messages"] = [
  "you may not push to this repository",
  "to open a pull request: git push origin HEAD:refs/for/<branch> -o topic=<name>"
]
const noSettings = "push options are ignored: they need admin permission on the repository"

/** The effects that authorize a git client again during a push, because permissions may change while it runs. */
export interface ClientEntry<E, R, S> {
  readonly push: Effect.Effect<ClientPush, E, R>
  /** Authorizes changes of repository settings; used only if the push options contain settings. */
  readonly edit: Effect.Effect<Proof<"repository.edit">, E, R>
  /** Authorizes the client to open a pull request; used only for a push to `refs/for/`. */
  readonly propose: Effect.Effect<Proof<"pull.create">, E, R>
  /** Opens a pull request with the commit that was pushed to `refs/for/`, or updates an open one. */
  readonly open: (
    proof: Proof<"pull.create">,
    change: RefChange,
    options: ReadonlyArray<string>
  ) => Effect.Effect<ProposalAnswer, never, S>
}

/**
 * A push to `refs/for/` that is authorized to open a pull request. The pull request is opened after git has accepted
 * the objects.
 */
interface WantedPull {
  readonly proof: Proof<"pull.create">
  readonly options: ReadonlyArray<string>
}

/** The repository settings that the push options of an authorized client change. */
interface WantedSettings {
  readonly proof: Proof<"repository.edit">
  readonly settings: PushSettings
}

/**
 * Receives a push of a git client. Each ref change is decided by the access rules.
 *
 * The objects may arrive slowly, so `again` authorizes the client again after they have arrived. The result is recorded
 * before the response is sent.
 */
export const push = Effect.fnUntraced(function* <E, R, S>(
  proof: ClientPush,
  again: ClientEntry<E, R, S>,
  request: ClientRequest
) {
  const { repository } = proof.resource
  if (proof.action === "git.wiki.push") yield* createWiki(repository)
  const transport = yield* GitTransport
  const hooks = proof.action === "git.wiki.push" ? [] : yield* runOn(repository.id)
  let begun: AllowedPush | undefined
  let wanted: WantedSettings | undefined
  let proposal: WantedPull | undefined
  const settled = Effect.suspend(() => (begun === undefined ? Effect.void : Jobs.runNow(begun.job)))
  // Added first, so that it runs last: git has exited by then.
  yield* Effect.acquireRelease(Effect.void, () => settled)
  const scope = yield* Effect.scope
  const changed = Effect.suspend(() =>
    wanted === undefined ? Effect.void : Effect.asVoid(Repositories.edit(wanted.proof, wanted.settings))
  )
  const services = yield* Effect.context<Effect.Services<typeof settled> | Effect.Services<typeof changed> | R | S>()
  const answer = yield* transport.serve({
    ...request,
    service: "receive-pack",
    repository: gitOf(proof),
    hooks,
    decide: (proposed) =>
      Effect.gen(function* () {
        if (proof.action !== "git.wiki.push" && hasProposal(proposed)) {
          const proposer = yield* reauthorize(proof, again.propose)
          if (proposer._tag === "None") return mayNotPropose(proposed)
          const decided = yield* decideProposal(proposer.value, proposed)
          begun = decided.begun
          if (begun !== undefined) {
            yield* Effect.forkIn(Jobs.keep(begun.job), scope)
            proposal = { proof: proposer.value, options: proposed.options }
          }
          return decided.verdict
        }
        const present = yield* reauthorize(proof, again.push)
        if (present._tag === "None" || present.value.action === "pull.create") {
          const messages = proof.action === "pull.create" ? onlyProposals : lost
          return { refused: new Set(proposed.changes.map(({ ref }) => ref)), messages }
        }
        // Push options to a wiki have no effect.
        const settings = proof.action === "git.push" ? settingsIn(proposed.options) : undefined
        const editing = settings === undefined ? Option.none() : yield* Effect.option(again.edit)
        const decided = yield* decide(present.value, proposed)
        begun = decided.begun
        if (begun !== undefined) yield* Effect.forkIn(Jobs.keep(begun.job), scope)
        if (settings === undefined || begun === undefined) return decided.verdict
        if (editing._tag === "Some" && editing.value.resource.repository.id === repository.id) {
          wanted = { proof: editing.value, settings }
          return decided.verdict
        }
        return { ...decided.verdict, messages: [...decided.verdict.messages, noSettings] }
      }).pipe(Effect.provideContext(services as never)) as Effect.Effect<PushVerdict>,
    propose: (change) =>
      proposal === undefined || !isProposal(change.ref)
        ? Effect.succeed({ _tag: "Refused", reason: "this push was not authorized" })
        : again.open(proposal.proof, change, proposal.options).pipe(Effect.provideContext(services))
  })
  const end = answer.exitCode.pipe(
    Effect.tap(settled),
    Effect.flatMap((exitCode) => (exitCode === 0 ? changed : Effect.void)),
    // The push has succeeded: the options can be repeated, also by the API.
    Effect.catch((error) => Effect.logWarning("push options could not be applied", error)),
    Effect.provideContext(services)
  )
  return { ...answer, output: Stream.concat(answer.output, Stream.drain(Stream.fromEffect(end))) } satisfies GitAnswer
})
