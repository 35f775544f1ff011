import type { Action } from "./Action.ts"

/**
 * The stages of access checks in the order of evaluation, with the response statuses of each stage. Source: decisions,
 * "Order on a request".
 */
export const order = [
  { stage: "credentials", answers: [401, 429], says: "presented credentials must be valid" },
  { stage: "account", answers: [403], says: "the account must be active" },
  { stage: "strict", answers: [403], says: "a site that requires sign-in rejects anonymous callers" },
  { stage: "sudo", answers: [403, 404], says: "only administrators act for another user, and the user must exist" },
  { stage: "scope", answers: [403], says: "the token must have every scope of the route" },
  { stage: "visibility", answers: [404, 307], says: "the resource in the path must exist and be visible" },
  { stage: "public-only", answers: [403], says: "a public-only token only reads what anonymous callers can read" },
  { stage: "sign-in", answers: [401], says: "the caller must be signed in if the route requires it" },
  { stage: "role", answers: [401, 403, 404], says: "the caller must have the role or the level on the unit" },
  { stage: "switch", answers: [403, 404, 423], says: "the state of the site and the repository must allow it" },
  { stage: "body", answers: [413, 422], says: "the body must match the schema of the route" },
  { stage: "use case", answers: [403, 404, 409, 422, 500], says: "the use case itself" }
] as const satisfies ReadonlyArray<{ stage: string; answers: ReadonlyArray<number>; says: string }>

/** The name of a stage of access checks. */
export type Stage = (typeof order)[number]["stage"]

/** The stages before the checks of the action, which are the same for every action. */
export const entryStages = ["account", "strict", "sudo"] as const satisfies ReadonlyArray<Stage>

/** The stages of the checks of an action. */
export const actionStages = [
  "scope",
  "visibility",
  "public-only",
  "sign-in",
  "role",
  "switch"
] as const satisfies ReadonlyArray<Stage>

/** The name of a stage of the checks of an action. */
export type ActionStage = (typeof actionStages)[number]

/**
 * Returns the stages of an action's checks in the order of evaluation. With `signInFirst`, the sign-in is checked
 * before the resource is loaded.
 */
export const stagesOf = (action: Pick<Action, "signInFirst">): ReadonlyArray<ActionStage> =>
  action.signInFirst ? ["scope", "sign-in", "visibility", "public-only", "role", "switch"] : actionStages
