import { notFound } from "@slipway/domain/forge/access"
import { clonePath, type GitBusy, type GitRepositoryMissing } from "@slipway/domain/forge/code"
import type { LoadedAction, Proof, Target } from "@slipway/domain/forge/entry"
import type { SignInSlowed } from "@slipway/domain/forge/identity"
import { LfsTickets } from "@slipway/forge/code"
import { ProposedPulls, withEditableHeadBranches } from "@slipway/forge/collaboration"
import { Entry, InvalidCredentials, KeyEntry } from "@slipway/forge/entry"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { NetAddress } from "effect/net"
import { PublicUrl } from "../../base/PublicUrl.ts"
import { entryRequest } from "../../entry/guard.ts"
import { plainly, requestSignIn, requestToken, signInFailed } from "./answers.ts"

/** The actions of git clients on a repository. */
export type GitAction = Extract<LoadedAction, `git.${string}`>

/** An authorized request of a git client. The proof of a push may only permit to open pull requests (`pull.create`). */
export interface GitEntered<A extends GitAction> {
  readonly proof: Proof<A> | ("git.push" extends A ? Proof<"pull.create"> : never)
  /** Authorizes the request again, because permissions can change while the transfer runs. */
  readonly again: Effect.Effect<Proof<A>, unknown, EntryServices<A>>
  /** Authorizes the caller to change repository settings, which push options can require. */
  readonly edit: Effect.Effect<Proof<"repository.edit">, unknown, EntryServices<A>>
  /** Authorizes the caller to open a pull request, which a push to `refs/for/` requires. */
  readonly propose: Effect.Effect<Proof<"pull.create">, unknown, EntryServices<A>>
}

type EntryServices<A extends GitAction> =
  | Effect.Services<ReturnType<typeof Entry.enter<"repository">>>
  | Effect.Services<ReturnType<typeof KeyEntry.enterWithKey>>
  | Effect.Services<ReturnType<typeof withEditableHeadBranches>>
  | Effect.Services<ReturnType<typeof Entry.authorize<A>>>
  | Effect.Services<ReturnType<typeof Entry.authorizeAndAudit<A>>>

/**
 * Authenticates an LFS request by its ticket, as the SSH key that the ticket was issued to.
 *
 * Fails if the ticket is for another repository or operation.
 */
const withTicket = (
  ticket: LfsTickets.LfsTicket,
  action: GitAction,
  target: Extract<Target<"repository">, { readonly owner: string }>,
  address: NetAddress.IpAddress
) =>
  Effect.gen(function* () {
    const isFor =
      ticket.owner === target.owner &&
      ticket.repository === target.repository &&
      (action === "git.lfs.read" || (action === "git.lfs.write" && ticket.operation === "upload"))
    const entered = isFor ? yield* KeyEntry.enterWithKey(ticket.key, target, NetAddress.formatIp(address)) : undefined
    return entered ?? (yield* new InvalidCredentials({ because: "credentials" }))
  })

/** Returns the redirect to the current URL of a renamed repository. */
const moved = (request: HttpServerRequest.HttpServerRequest, from: string, to: Entry.Renamed["to"]) => {
  const [path = "", query] = request.url.split("?")
  const rest = path.slice(from.length)
  const suffix = /(\.wiki)?(\.git)?$/i.exec(from)?.[0] ?? ""
  const base = `/${encodeURIComponent(to.owner ?? "")}/${encodeURIComponent(to.repository ?? "")}${suffix}`
  const location = `${base}${rest}${query === undefined ? "" : `?${query}`}`
  // Old clients repeat a POST as a GET after 301, so only requests without a body are redirected permanently.
  return HttpServerResponse.empty({ status: request.method === "GET" ? 301 : 307, headers: { location } })
}

/**
 * Authorizes a request of a git client; fails with the error response.
 *
 * A request without credentials gets a 401 challenge for hidden and for missing repositories.
 */
export const enterGit = Effect.fnUntraced(function* <A extends GitAction>(action: A, path: string) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const publicUrl = yield* PublicUrl
  const named = clonePath(path)
  const hidden = () =>
    request.headers.authorization === undefined
      ? requestSignIn()
      : plainly(404, "the repository does not exist, or you have no access to it")
  if (named === undefined || named.wiki !== action.startsWith("git.wiki.")) return yield* Effect.fail(hidden())
  const target = { kind: "repository", owner: named.owner, repository: named.repository } as const
  const asked = entryRequest(request, publicUrl)
  const ticket = yield* LfsTickets.read(request.headers.authorization)
  const withBranches = (entered: Entry.EnteredActor<"repository">) => withEditableHeadBranches(action, entered)
  const entering = Effect.gen(function* () {
    return ticket === undefined
      ? yield* Entry.enter(asked, target)
      : yield* withTicket(ticket, action, target, asked.address)
  }).pipe(Effect.flatMap(withBranches))
  const refusal = ({ decision: { answer } }: Entry.AccessRefused) => {
    if (answer.status === notFound.status) return hidden()
    if (answer.status === 401) return requestSignIn()
    // Git shows the message of a 403 and of no other unexpected status.
    return plainly(403, answer.message)
  }
  const entered = yield* entering.pipe(
    Effect.catchTags({
      AccessRefused: (refused) => Effect.fail(refusal(refused)),
      InvalidCredentials: ({ because }) => Effect.fail(because === "one-time code" ? requestToken() : signInFailed()),
      SignInSlowed: ({ seconds }: SignInSlowed) =>
        Effect.fail(plainly(429, "too many failed sign-ins, try again later", { "retry-after": String(seconds) })),
      SudoUserNotFound: () => Effect.fail(hidden())
    })
  )
  const decided = action === "git.push" ? yield* ProposedPulls.pushActionOf(entered) : action
  const proof = yield* (
    Entry.authorizeAndAudit(decided, entered as never) as Effect.Effect<
      GitEntered<A>["proof"],
      Entry.AccessRefused | Entry.Renamed,
      EntryServices<A>
    >
  ).pipe(
    Effect.catchTags({
      AccessRefused: (refused) => Effect.fail(refusal(refused)),
      Renamed: ({ to }) => Effect.fail(moved(request, path, to))
    })
  )
  const anew =
    ticket === undefined ? Effect.flatMap(Entry.enterAgain(entered.actor, asked, target), withBranches) : entering
  const again = Effect.flatMap(anew, (present) => Entry.authorize(action, present as never)) as GitEntered<A>["again"]
  const edit = Effect.flatMap(anew, (present) =>
    Entry.authorizeAndAudit("repository.edit", present as never)
  ) as GitEntered<A>["edit"]
  const propose = Effect.flatMap(anew, (present) =>
    Entry.authorize("pull.create", present as never)
  ) as GitEntered<A>["propose"]
  return { proof, again, edit, propose } satisfies GitEntered<A>
})

/**
 * Returns the response to a git client if git is busy or the repository does not exist yet (503), or a wiki is empty
 * (404).
 */
export const unavailable = (error: GitBusy | GitRepositoryMissing) => {
  if (error._tag === "GitBusy") {
    const headers = { "retry-after": String(error.seconds) }
    return plainly(503, "too many git clients are connected, try again soon", headers)
  }
  return typeof error.repository === "string"
    ? plainly(404, "this wiki has no pages yet")
    : plainly(503, "the repository is being created, try again soon", { "retry-after": "1" })
}
