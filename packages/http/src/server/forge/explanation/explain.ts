import { explanationLines, type Step } from "@slipway/domain/forge/access"
import type { User } from "@slipway/domain/forge/identity"
import { checkAccess, explainAccess, listAccess } from "@slipway/forge/explanation"
import { Effect } from "effect"
import { explainEndpoints } from "../../../api/forge/explanation/explain.ts"
import { handle } from "../entry/handle.ts"

const showStep = ({ asks, because, passed, stage }: Step) => ({ stage, asks, passed, because })

const showWho = (user: User | undefined) => (user === undefined ? null : { id: user.id, login: user.name })

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
})
