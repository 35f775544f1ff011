import type { Visit } from "../page/Page.ts"

/**
 * Returns the actions that the viewer may use on a resource, such as `repo:ann/site` or `issue:ann/site#1`, as the forge
 * decides. Anonymous visitors get none: their buttons lead to the sign-in page.
 *
 * The page declares the operation `access.actions`.
 */
export const allowedActions = async ({ forge, viewer }: Visit, resource: string): Promise<ReadonlySet<string>> => {
  if (viewer === undefined) return new Set()
  const { actions } = await forge.access.actions({ query: { resource, user: viewer.login } })
  return new Set(actions.filter(({ allowed }) => allowed).map(({ action }) => action))
}
