import type { WorkflowTurn } from "./WorkflowRun.ts"

/** What of a turn decides how its group goes on. */
export type TurnState = Pick<WorkflowTurn, "cancels" | "holds" | "id">

/** How a group goes on: whose turn it is from now on, and whose turns end. */
export interface TurnsSettled<T> {
  readonly taken: T | undefined
  readonly ended: ReadonlyArray<T>
}

/**
 * Returns how a group goes on by its turns, in the order in which they were asked for.
 *
 * One is done and one waits. Who asks next takes the place of the one that waits, or of both where it cancels what is done.
 *
 * @example
 * const turn = (id: number, holds: string | null = null) => ({ id, holds, cancels: false })
 * settledTurns([turn(1, "g"), turn(2), turn(3)]) // => { taken: undefined, ended: [turn(2)] }
 */
export const settledTurns = <T extends TurnState>(turns: ReadonlyArray<T>): TurnsSettled<T> => {
  let present = turns.find(({ holds }) => holds !== null)
  let next: T | undefined
  const ended: Array<T> = []
  for (const turn of turns) {
    if (turn.holds !== null) continue
    if (present === undefined) present = turn
    else {
      if (next !== undefined) ended.push(next)
      next = turn
      if (turn.cancels) {
        ended.push(present)
        ;[present, next] = [turn, undefined]
      }
    }
  }
  return { taken: present?.holds === null ? present : undefined, ended }
}
