import type { ConsoleVisit } from "./ConsolePage.ts"
import { decisionsOn } from "./decisions.ts"

/** A resource, and whether the viewer may open a terminal in its containers. */
export type WithTerminal<Resource> = Resource & { readonly mayOpenTerminal: boolean }

/** Loads whether the viewer may open a terminal in the containers of a resource, concurrently with the resource. */
export const withTerminal = async <Resource extends object>(
  visit: ConsoleVisit,
  type: "application" | "database" | "service",
  uuid: string,
  loading: PromiseLike<Resource>
): Promise<WithTerminal<Resource>> => {
  const [resource, may] = await Promise.all([loading, decisionsOn(visit, { open: [`${type}.terminal`, uuid] })])
  return { ...resource, mayOpenTerminal: may.open }
}
