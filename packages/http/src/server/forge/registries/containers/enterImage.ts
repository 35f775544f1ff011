import { entryAnswers, notFound } from "@slipway/domain/forge/access"
import { ownerNameProblem, SiteSettings } from "@slipway/domain/forge/base"
import type { Proof, Target } from "@slipway/domain/forge/entry"
import { type Actor, addressOf, credentialOf, type SignInSlowed } from "@slipway/domain/forge/identity"
import { imageNameProblem } from "@slipway/domain/forge/registries"
import { Entry } from "@slipway/forge/entry"
import { type ImageAccess, RegistryTickets } from "@slipway/forge/registries"
import { Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { PublicUrl } from "../../base/PublicUrl.ts"
import { entryRequest } from "../../entry/guard.ts"
import { containerError, requestSignIn, unknownName } from "./answers.ts"

/** Maps the actions on images to the permission that a ticket (registry token) must contain. */
const accesses = {
  "package.container.read": "pull",
  "package.container.upload": "push",
  "package.container.publish": "push",
  "package.container.delete": "delete"
} as const satisfies Readonly<Record<string, ImageAccess>>

/** An action on images of an owner. */
export type ImageAction = keyof typeof accesses

/** The permissions to request in a challenge: a push also needs `pull`, to check which blobs exist. */
const combinedScopes: Readonly<Record<ImageAccess, string>> = { pull: "pull", push: "pull,push", delete: "delete" }

/** The owner and the image name in a request path. */
export interface ImageName {
  readonly owner: string
  readonly image: string
}

/**
 * Parses an image name with its owner; `undefined` if the owner or the name is invalid.
 *
 * A valid name is safe in response headers, which allow only some characters.
 *
 * @example
 * nameIn("acme/tools/lamp") // => { owner: "acme", image: "tools/lamp" }
 * nameIn("lamp") // => undefined
 */
export const nameIn = (text: string): ImageName | undefined => {
  const at = text.indexOf("/")
  const name = { owner: text.slice(0, Math.max(0, at)), image: text.slice(at + 1) }
  return ownerNameProblem(name.owner) === undefined && imageNameProblem(name.image) === undefined ? name : undefined
}

/** Returns the name of an image with its owner, such as `acme/tool`. */
export const written = ({ image, owner }: ImageName): string => `${owner}/${image}`

type Services =
  | Effect.Services<ReturnType<typeof Entry.enter<"packageOwner">>>
  | Effect.Services<ReturnType<typeof Entry.authorizeAndAudit<ImageAction>>>
  | Effect.Services<ReturnType<typeof RegistryTickets.read>>
  | SiteSettings

/** An authorized request for an image. */
export interface ImageEntered<A extends ImageAction> {
  readonly proof: Proof<A>
  /** Authorizes the request again, because permissions can change while its body arrives. */
  readonly again: Effect.Effect<unknown, HttpServerResponse.HttpServerResponse, Services>
  /** Returns whether the request may read another image, within the limits of its ticket. */
  readonly mayPull: (name: ImageName) => boolean
}

/**
 * Reads the ticket (registry token) of a request; undefined if the request has no ticket.
 *
 * Fails with the 401 response if the ticket is invalid or expired.
 */
export const ticketIn = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const { authorization } = request.headers
  if (!RegistryTickets.isShown(authorization)) return undefined
  const ticket = yield* RegistryTickets.read(authorization)
  return ticket ?? (yield* Effect.fail(requestSignIn(yield* PublicUrl, { error: "invalid_token" })))
})

const enterBy = <K extends "packageOwner" | "site">(
  ticket: RegistryTickets.RegistryTicket | undefined,
  asked: Entry.EntryRequest,
  about: Target<K>
) =>
  Effect.flatMap(SiteSettings, ({ signIn }) =>
    ticket === undefined
      ? Entry.enter(asked, about)
      : Entry.enterAs(
          RegistryTickets.credentialIn(ticket),
          { address: addressOf(asked, signIn), sudo: asked.sudo },
          about
        )
  )

/**
 * Converts the errors of an authorization to error responses.
 *
 * Without credentials (`isNobody`), the response is a 401 challenge both for hidden and for missing images.
 */
export const answerUnauthorized =
  (isNobody: boolean, scope?: string) =>
  <A, E, R>(
    entering: Effect.Effect<
      A,
      | E
      | Entry.AccessRefused
      | Entry.Renamed
      | Entry.SudoUserNotFound
      | SignInSlowed
      | Effect.Error<ReturnType<typeof Entry.enter<"site">>>,
      R
    >
  ) =>
    Effect.flatMap(PublicUrl, (served) => {
      const asking = scope === undefined ? {} : { scope }
      const refusal = ({ decision: { answer } }: Entry.AccessRefused) => {
        if (answer.status === 401 || isNobody) return requestSignIn(served, asking)
        return answer.status === notFound.status ? unknownName : containerError(answer.status, "DENIED", answer.message)
      }
      return (entering as Effect.Effect<A, E | Entry.AccessRefused, R>).pipe(
        Effect.catch((error: unknown) => {
          const { _tag } = error as { readonly _tag?: string }
          switch (_tag) {
            case "AccessRefused":
              return Effect.fail(refusal(error as Entry.AccessRefused))
            case "Renamed":
            case "SudoUserNotFound":
              return Effect.fail(unknownName)
            case "SignInSlowed": {
              const headers = { "retry-after": String((error as SignInSlowed).seconds) }
              return Effect.fail(
                containerError(429, "TOOMANYREQUESTS", "too many failed sign-ins, try again later", headers)
              )
            }
            default:
              return Effect.fail(requestSignIn(served, { ...asking, message: entryAnswers.invalidCredentials.message }))
          }
        })
      )
    })

/** Authenticates a request by its ticket or its other credentials; fails with the error response. */
export const authenticateImage = <K extends "packageOwner" | "site">(
  ticket: RegistryTickets.RegistryTicket | undefined,
  asked: Entry.EntryRequest,
  about: Target<K>,
  scope?: string
) =>
  Effect.flatMap(SiteSettings, ({ signIn }) => {
    const credential = ticket === undefined ? credentialOf(asked, signIn) : RegistryTickets.credentialIn(ticket)
    return answerUnauthorized(credential._tag === "Nothing", scope)(enterBy(ticket, asked, about))
  })

/** Authorizes a request for an image; fails with the HTTP response if access is denied. */
export const enterImage = Effect.fnUntraced(function* <A extends ImageAction>(action: A, name: ImageName) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const served = yield* PublicUrl
  const asked = entryRequest(request, served)
  const access = accesses[action]
  const scope = `repository:${written(name)}:${combinedScopes[access]}`
  const ticket = yield* ticketIn(request)
  if (ticket !== undefined && !RegistryTickets.covers(ticket, written(name), access)) {
    return yield* Effect.fail(requestSignIn(served, { scope, error: "insufficient_scope" }))
  }
  const target = (owner: string) => ({ kind: "packageOwner", owner }) as const
  /** Authorizes the action; for a renamed owner, authorizes at the new name, because few clients follow redirects. */
  const decided = (actor: Actor, entered: Entry.EnteredActor<"packageOwner">) =>
    (Entry.authorizeAndAudit(action, entered as never) as ReturnType<typeof Entry.authorizeAndAudit<A>>).pipe(
      Effect.catchTag("Renamed", ({ to }) =>
        Effect.flatMap(Entry.authorizeSecondResource(actor, target(to.owner ?? "")), (present) =>
          Entry.authorizeAndAudit(action, present as never)
        )
      )
    )
  const entered = yield* authenticateImage(ticket, asked, target(name.owner), scope)
  const answering = answerUnauthorized(entered.actor.user === undefined, scope)
  const proof = (yield* answering(decided(entered.actor, entered))) as Proof<A>
  const anew =
    ticket === undefined
      ? Entry.enterAgain(entered.actor, asked, target(name.owner))
      : enterBy(ticket, asked, target(name.owner))
  return {
    proof,
    again: Effect.flatMap(answering(Effect.flatMap(anew, (present) => decided(present.actor, present))), (present) =>
      // Meanwhile the name may belong to another owner.
      (present as Proof<A>).resource.owner.id === proof.resource.owner.id ? Effect.void : Effect.fail(unknownName)
    ),
    mayPull: (other) => ticket === undefined || RegistryTickets.covers(ticket, written(other), "pull")
  } as ImageEntered<A>
})
