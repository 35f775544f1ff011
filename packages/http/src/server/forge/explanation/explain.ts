import { explanationLines, type Step } from "@slipway/domain/forge/access"
import type { Repository } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import type { User } from "@slipway/domain/forge/identity"
import {
  AccessObjects,
  AccessSubjects,
  checkAccess,
  explainAccess,
  listAccess,
  ResourceNotFound
} from "@slipway/forge/explanation"
import { Effect, Layer, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { explainEndpoints } from "../../../api/forge/explanation/explain.ts"
import { eventStream, type StreamedEvent } from "../../wire/eventStream.ts"
import { showPerson } from "../base/dryRun.ts"
import { authorizeRequest } from "../entry/admission.ts"
import { handle, mapRows } from "../entry/handle.ts"
import { AccessStreams } from "./accessStreams.ts"

const showStep = ({ asks, because, passed, stage }: Step) => ({ stage, asks, passed, because })

const showWho = (user: User | undefined) => (user === undefined ? null : { id: user.id, login: user.name })

const showSubject = ({ who, ...decision }: AccessSubjects.SubjectDecision) => ({
  ...(who.kind === "user" ? { user: showPerson(who.user) } : { audience: who.audience }),
  ...decision
})

const showObject = ({ id, name, owner }: Repository) => ({ resource: `repo:${owner.name}/${name}`, id })

const showEvent = (event: AccessSubjects.SubjectEvent): StreamedEvent =>
  event._tag === "End"
    ? { event: "end", data: { reason: event.reason } }
    : {
        event: event._tag === "Decisions" ? "decisions" : "changes",
        data: { subjects: event.subjects.map(showSubject) }
      }

/** Authorizes the caller of an open stream again, without verifying a password or a signature again. */
const authorizeAgain = ({ resource: { actor } }: Proof<"access.watch">) =>
  Effect.flatMap(authorizeRequest("access.watch", { before: actor }), (again) =>
    HttpServerResponse.isHttpServerResponse(again) ? Effect.fail(new ResourceNotFound()) : Effect.succeed(again)
  )

/** The handlers that explain permissions. */
export const layerExplain = handle(explainEndpoints, {
  "access.explain": ({ proof, query }) =>
    Effect.map(explainAccess(proof, query), (explained) => {
      const { action, allowed, answer, by, changes, steps, teams, user } = explained
      return {
        action,
        resource: query.resource,
        user: showWho(user),
        allowed,
        status: answer?.status ?? 200,
        message: answer?.message ?? "",
        rules: by,
        teams,
        path: steps.map(showStep),
        changes,
        text: explanationLines(explained)
      }
    }),
  "access.actions": ({ proof, query }) =>
    Effect.map(listAccess(proof, query), ({ decisions, user }) => ({
      resource: query.resource,
      user: showWho(user),
      actions: decisions.map(({ action, decision }) => ({
        action,
        allowed: decision.allowed,
        status: decision.allowed ? 200 : decision.answer.status
      }))
    })),
  "access.objects": ({ page, proof, query }) => mapRows(AccessObjects.list(proof, query, page), showObject),
  "access.subjects": ({ page, proof, query }) => mapRows(AccessSubjects.list(proof, query, page), showSubject),
  "access.watch": ({ proof, query }) =>
    Effect.gen(function* () {
      yield* (yield* AccessStreams).enter(proof.resource.actor.signedInAs?.id)
      const events = yield* AccessSubjects.watch(proof, query, authorizeAgain(proof))
      return yield* eventStream(Stream.map(events, showEvent))
    }),
  "access.check": ({ body: { checks, explain = false }, proof }) =>
    Effect.map(checkAccess(proof, { checks, explain }), (answers) =>
      answers.map(({ explanation, ...decision }) =>
        explanation === undefined
          ? decision
          : {
              ...decision,
              message: explanation.answer?.message ?? "",
              rules: explanation.by,
              path: explanation.steps.map(showStep)
            }
      )
    )
}).pipe(Layer.provide(AccessStreams.layer))
