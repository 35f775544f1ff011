import type { WorkflowTurn } from "./WorkflowRun.ts"

/** The fields of a turn (a request to run in a concurrency group) that determine the next state of the group. */
export type TurnState = Pick<WorkflowTurn, "cancels" | "holds" | "id">

/** The next change of a concurrency group: the turn that now starts (`taken`), and the turns that are cancelled. */
export interface TurnsSettled<T> {
  readonly taken: T | undefined
  readonly ended: ReadonlyArray<T>
}

/**
 * Returns the next change of a concurrency group from its turns, which are in the order of their requests.
 *
 * In a group, one turn runs and one turn waits. A newer turn replaces the waiting turn; a turn with `cancels` also
 * replaces the running turn.
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

/** The fields of a turn that are needed to detect a deadlock between concurrency groups. */
export type TurnPlace = Pick<WorkflowTurn, "group" | "holds" | "id" | "runId" | "slot">

/**
 * Returns whether a waiting turn is part of a deadlock: it waits for another run, and a chain of waits leads from that
 * run back to the turn's own run.
 *
 * @example
 * const turn = (id: number, runId: number, group: string, slot: number | null, holds = slot === null) =>
 *   ({ id, runId, group, slot, holds: holds ? group : null }) as never
 * const held = [turn(1, 1, "a", null), turn(2, 2, "b", null), turn(3, 1, "b", 0)]
 * waitsForItself(turn(4, 2, "a", 0), held) // => true
 * waitsForItself(turn(4, 3, "a", 0), held) // => false
 */
export const waitsForItself = (turn: TurnPlace, turns: ReadonlyArray<TurnPlace>): boolean => {
  const holders = new Map(
    turns.filter(({ holds, slot }) => holds !== null && slot === null).map((each) => [each.group, each])
  )
  const waiting = Map.groupBy(
    turns.filter(({ holds }) => holds === null),
    ({ runId }) => runId
  )
  const awaited = new Set<WorkflowTurn["runId"]>()
  for (const open = [turn]; ; ) {
    const next = open.pop()
    if (next === undefined) return false
    const runId = holders.get(next.group)?.runId
    if (runId === turn.runId) return true
    if (runId === undefined || awaited.has(runId)) continue
    awaited.add(runId)
    open.push(...(waiting.get(runId) ?? []))
  }
}
